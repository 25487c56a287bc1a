// Generated from the schemas in `benches/protos`; do not edit. To write it again:
// UPDATE_GENERATED=1 cargo test -p benchmarks-codegen
// With `--features pilota`. By pilota-build 0.13.12; digest of schemas and code: afc590f36d90cc22f38ed86accea017568071264dfc4f7d9777f50b1a71c032a
pub mod pilota {
    #![allow(warnings, clippy::all)]
    use ::pilota::{Buf as _, BufMut as _};
    pub mod benchmarks {
        use ::pilota::{Buf as _, BufMut as _};

        pub mod proto2 {
            use ::pilota::{Buf as _, BufMut as _};

            impl ::std::default::Default for GoogleMessage1 {
                fn default() -> Self {
                    GoogleMessage1 {
                        field1: ::std::default::Default::default(),
                        field2: ::std::default::Default::default(),
                        field3: ::std::default::Default::default(),
                        field4: ::std::default::Default::default(),
                        field5: ::std::default::Default::default(),
                        field6: ::std::option::Option::Some(0i32),
                        field7: ::std::default::Default::default(),
                        field9: ::std::default::Default::default(),
                        field12: ::std::option::Option::Some(true),
                        field13: ::std::option::Option::Some(true),
                        field14: ::std::option::Option::Some(true),
                        field15: ::std::default::Default::default(),
                        field16: ::std::default::Default::default(),
                        field17: ::std::option::Option::Some(true),
                        field18: ::std::default::Default::default(),
                        field22: ::std::default::Default::default(),
                        field23: ::std::option::Option::Some(0i32),
                        field24: ::std::option::Option::Some(false),
                        field25: ::std::option::Option::Some(0i32),
                        field29: ::std::option::Option::Some(0i32),
                        field30: ::std::option::Option::Some(false),
                        field59: ::std::option::Option::Some(false),
                        field60: ::std::option::Option::Some(-1i32),
                        field67: ::std::option::Option::Some(0i32),
                        field68: ::std::default::Default::default(),
                        field78: ::std::default::Default::default(),
                        field80: ::std::option::Option::Some(false),
                        field81: ::std::option::Option::Some(true),
                        field100: ::std::option::Option::Some(0i32),
                        field101: ::std::option::Option::Some(0i32),
                        field102: ::std::default::Default::default(),
                        field103: ::std::default::Default::default(),
                        field104: ::std::option::Option::Some(0i32),
                        field128: ::std::option::Option::Some(0i32),
                        field129: ::std::option::Option::Some(::pilota::FastStr::from_static_str(
                            "xxxxxxxxxxxxxxxxxxxxx",
                        )),
                        field130: ::std::option::Option::Some(0i32),
                        field131: ::std::option::Option::Some(0i32),
                        field150: ::std::default::Default::default(),
                        field271: ::std::option::Option::Some(-1i32),
                        field272: ::std::option::Option::Some(-1i32),
                        field280: ::std::default::Default::default(),
                    }
                }
            }
            #[derive(PartialOrd, Hash, Eq, Ord, Debug, Clone, PartialEq)]
            pub struct GoogleMessage1 {
                pub field1: ::pilota::FastStr,

                pub field2: i32,

                pub field3: i32,

                pub field4: ::std::option::Option<::pilota::FastStr>,

                pub field5: ::std::vec::Vec<u64>,

                pub field6: ::std::option::Option<i32>,

                pub field7: ::std::option::Option<::pilota::FastStr>,

                pub field9: ::std::option::Option<::pilota::FastStr>,

                pub field12: ::std::option::Option<bool>,

                pub field13: ::std::option::Option<bool>,

                pub field14: ::std::option::Option<bool>,

                pub field15: ::std::option::Option<GoogleMessage1SubMessage>,

                pub field16: ::std::option::Option<i32>,

                pub field17: ::std::option::Option<bool>,

                pub field18: ::std::option::Option<::pilota::FastStr>,

                pub field22: ::std::option::Option<i64>,

                pub field23: ::std::option::Option<i32>,

                pub field24: ::std::option::Option<bool>,

                pub field25: ::std::option::Option<i32>,

                pub field29: ::std::option::Option<i32>,

                pub field30: ::std::option::Option<bool>,

                pub field59: ::std::option::Option<bool>,

                pub field60: ::std::option::Option<i32>,

                pub field67: ::std::option::Option<i32>,

                pub field68: ::std::option::Option<i32>,

                pub field78: ::std::option::Option<bool>,

                pub field80: ::std::option::Option<bool>,

                pub field81: ::std::option::Option<bool>,

                pub field100: ::std::option::Option<i32>,

                pub field101: ::std::option::Option<i32>,

                pub field102: ::std::option::Option<::pilota::FastStr>,

                pub field103: ::std::option::Option<::pilota::FastStr>,

                pub field104: ::std::option::Option<i32>,

                pub field128: ::std::option::Option<i32>,

                pub field129: ::std::option::Option<::pilota::FastStr>,

                pub field130: ::std::option::Option<i32>,

                pub field131: ::std::option::Option<i32>,

                pub field150: ::std::option::Option<i32>,

                pub field271: ::std::option::Option<i32>,

                pub field272: ::std::option::Option<i32>,

                pub field280: ::std::option::Option<i32>,
            }
            impl ::pilota::pb::Message for GoogleMessage1 {
                #[inline]
                fn encoded_len(&self, ctx: &mut ::pilota::pb::EncodeLengthContext) -> usize {
                    0 + ::pilota::pb::encoding::faststr::encoded_len(ctx, 1, &self.field1)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 2, &self.field2)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 3, &self.field3)
                        + self.field4.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::faststr::encoded_len(ctx, 4, value)
                        })
                        + ::pilota::pb::encoding::fixed64::encoded_len_repeated(
                            ctx,
                            5,
                            &self.field5,
                        )
                        + self.field6.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 6, value)
                        })
                        + self.field7.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::faststr::encoded_len(ctx, 7, value)
                        })
                        + self.field9.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::faststr::encoded_len(ctx, 9, value)
                        })
                        + self.field12.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::bool::encoded_len(ctx, 12, value)
                        })
                        + self.field13.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::bool::encoded_len(ctx, 13, value)
                        })
                        + self.field14.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::bool::encoded_len(ctx, 14, value)
                        })
                        + self.field15.as_ref().map_or(0, |msg| {
                            ::pilota::pb::encoding::message::encoded_len(ctx, 15, msg)
                        })
                        + self.field16.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 16, value)
                        })
                        + self.field17.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::bool::encoded_len(ctx, 17, value)
                        })
                        + self.field18.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::faststr::encoded_len(ctx, 18, value)
                        })
                        + self.field22.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int64::encoded_len(ctx, 22, value)
                        })
                        + self.field23.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 23, value)
                        })
                        + self.field24.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::bool::encoded_len(ctx, 24, value)
                        })
                        + self.field25.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 25, value)
                        })
                        + self.field29.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 29, value)
                        })
                        + self.field30.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::bool::encoded_len(ctx, 30, value)
                        })
                        + self.field59.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::bool::encoded_len(ctx, 59, value)
                        })
                        + self.field60.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 60, value)
                        })
                        + self.field67.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 67, value)
                        })
                        + self.field68.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 68, value)
                        })
                        + self.field78.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::bool::encoded_len(ctx, 78, value)
                        })
                        + self.field80.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::bool::encoded_len(ctx, 80, value)
                        })
                        + self.field81.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::bool::encoded_len(ctx, 81, value)
                        })
                        + self.field100.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 100, value)
                        })
                        + self.field101.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 101, value)
                        })
                        + self.field102.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::faststr::encoded_len(ctx, 102, value)
                        })
                        + self.field103.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::faststr::encoded_len(ctx, 103, value)
                        })
                        + self.field104.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 104, value)
                        })
                        + self.field128.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 128, value)
                        })
                        + self.field129.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::faststr::encoded_len(ctx, 129, value)
                        })
                        + self.field130.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 130, value)
                        })
                        + self.field131.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 131, value)
                        })
                        + self.field150.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 150, value)
                        })
                        + self.field271.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 271, value)
                        })
                        + self.field272.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 272, value)
                        })
                        + self.field280.as_ref().map_or(0, |value| {
                            ::pilota::pb::encoding::int32::encoded_len(ctx, 280, value)
                        })
                }

                #[allow(unused_variables)]
                fn encode_raw(&self, buf: &mut ::pilota::LinkedBytes) {
                    ::pilota::pb::encoding::faststr::encode(1, &self.field1, buf);
                    ::pilota::pb::encoding::int32::encode(2, &self.field2, buf);
                    ::pilota::pb::encoding::int32::encode(3, &self.field3, buf);
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field4.as_ref() {
                        ::pilota::pb::encoding::faststr::encode(4, _pilota_inner_value, buf);
                    };
                    ::pilota::pb::encoding::fixed64::encode_repeated(5, &self.field5, buf);
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field6.as_ref() {
                        ::pilota::pb::encoding::int32::encode(6, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field7.as_ref() {
                        ::pilota::pb::encoding::faststr::encode(7, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field9.as_ref() {
                        ::pilota::pb::encoding::faststr::encode(9, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field12.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(12, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field13.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(13, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field14.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(14, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field15.as_ref()
                    {
                        ::pilota::pb::encoding::message::encode(15, _pilota_inner_value, buf);
                    }
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field16.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(16, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field17.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(17, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field18.as_ref()
                    {
                        ::pilota::pb::encoding::faststr::encode(18, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field22.as_ref()
                    {
                        ::pilota::pb::encoding::int64::encode(22, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field23.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(23, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field24.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(24, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field25.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(25, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field29.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(29, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field30.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(30, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field59.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(59, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field60.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(60, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field67.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(67, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field68.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(68, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field78.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(78, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field80.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(80, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field81.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(81, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field100.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(100, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field101.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(101, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field102.as_ref()
                    {
                        ::pilota::pb::encoding::faststr::encode(102, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field103.as_ref()
                    {
                        ::pilota::pb::encoding::faststr::encode(103, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field104.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(104, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field128.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(128, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field129.as_ref()
                    {
                        ::pilota::pb::encoding::faststr::encode(129, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field130.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(130, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field131.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(131, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field150.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(150, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field271.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(271, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field272.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(272, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field280.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(280, _pilota_inner_value, buf);
                    };
                }

                #[allow(unused_variables)]
                fn merge_field(
                    &mut self,
                    tag: u32,
                    wire_type: ::pilota::pb::encoding::WireType,
                    buf: &mut ::pilota::Bytes,
                    ctx: &mut ::pilota::pb::encoding::DecodeContext,
                    is_root: bool,
                ) -> ::core::result::Result<(), ::pilota::pb::DecodeError> {
                    const STRUCT_NAME: &'static str = stringify!(GoogleMessage1);

                    match tag {
                        1 => {
                            let mut _inner_pilota_value = &mut self.field1;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field1));
                                error
                            })
                        }
                        2 => {
                            let mut _inner_pilota_value = &mut self.field2;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field2));
                                error
                            })
                        }
                        3 => {
                            let mut _inner_pilota_value = &mut self.field3;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field3));
                                error
                            })
                        }
                        4 => {
                            let mut _inner_pilota_value = &mut self.field4;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field4));
                                error
                            })
                        }
                        5 => {
                            let mut _inner_pilota_value = &mut self.field5;
                            ::pilota::pb::encoding::fixed64::merge_repeated(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field5));
                                error
                            })
                        }
                        6 => {
                            let mut _inner_pilota_value = &mut self.field6;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field6));
                                error
                            })
                        }
                        7 => {
                            let mut _inner_pilota_value = &mut self.field7;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field7));
                                error
                            })
                        }
                        9 => {
                            let mut _inner_pilota_value = &mut self.field9;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field9));
                                error
                            })
                        }
                        12 => {
                            let mut _inner_pilota_value = &mut self.field12;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field12));
                                error
                            })
                        }
                        13 => {
                            let mut _inner_pilota_value = &mut self.field13;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field13));
                                error
                            })
                        }
                        14 => {
                            let mut _inner_pilota_value = &mut self.field14;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field14));
                                error
                            })
                        }
                        15 => {
                            let mut _inner_pilota_value = &mut self.field15;
                            ::pilota::pb::encoding::message::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field15));
                                error
                            })
                        }
                        16 => {
                            let mut _inner_pilota_value = &mut self.field16;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field16));
                                error
                            })
                        }
                        17 => {
                            let mut _inner_pilota_value = &mut self.field17;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field17));
                                error
                            })
                        }
                        18 => {
                            let mut _inner_pilota_value = &mut self.field18;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field18));
                                error
                            })
                        }
                        22 => {
                            let mut _inner_pilota_value = &mut self.field22;
                            ::pilota::pb::encoding::int64::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field22));
                                error
                            })
                        }
                        23 => {
                            let mut _inner_pilota_value = &mut self.field23;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field23));
                                error
                            })
                        }
                        24 => {
                            let mut _inner_pilota_value = &mut self.field24;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field24));
                                error
                            })
                        }
                        25 => {
                            let mut _inner_pilota_value = &mut self.field25;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field25));
                                error
                            })
                        }
                        29 => {
                            let mut _inner_pilota_value = &mut self.field29;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field29));
                                error
                            })
                        }
                        30 => {
                            let mut _inner_pilota_value = &mut self.field30;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field30));
                                error
                            })
                        }
                        59 => {
                            let mut _inner_pilota_value = &mut self.field59;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field59));
                                error
                            })
                        }
                        60 => {
                            let mut _inner_pilota_value = &mut self.field60;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field60));
                                error
                            })
                        }
                        67 => {
                            let mut _inner_pilota_value = &mut self.field67;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field67));
                                error
                            })
                        }
                        68 => {
                            let mut _inner_pilota_value = &mut self.field68;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field68));
                                error
                            })
                        }
                        78 => {
                            let mut _inner_pilota_value = &mut self.field78;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field78));
                                error
                            })
                        }
                        80 => {
                            let mut _inner_pilota_value = &mut self.field80;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field80));
                                error
                            })
                        }
                        81 => {
                            let mut _inner_pilota_value = &mut self.field81;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field81));
                                error
                            })
                        }
                        100 => {
                            let mut _inner_pilota_value = &mut self.field100;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field100));
                                error
                            })
                        }
                        101 => {
                            let mut _inner_pilota_value = &mut self.field101;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field101));
                                error
                            })
                        }
                        102 => {
                            let mut _inner_pilota_value = &mut self.field102;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field102));
                                error
                            })
                        }
                        103 => {
                            let mut _inner_pilota_value = &mut self.field103;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field103));
                                error
                            })
                        }
                        104 => {
                            let mut _inner_pilota_value = &mut self.field104;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field104));
                                error
                            })
                        }
                        128 => {
                            let mut _inner_pilota_value = &mut self.field128;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field128));
                                error
                            })
                        }
                        129 => {
                            let mut _inner_pilota_value = &mut self.field129;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field129));
                                error
                            })
                        }
                        130 => {
                            let mut _inner_pilota_value = &mut self.field130;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field130));
                                error
                            })
                        }
                        131 => {
                            let mut _inner_pilota_value = &mut self.field131;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field131));
                                error
                            })
                        }
                        150 => {
                            let mut _inner_pilota_value = &mut self.field150;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field150));
                                error
                            })
                        }
                        271 => {
                            let mut _inner_pilota_value = &mut self.field271;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field271));
                                error
                            })
                        }
                        272 => {
                            let mut _inner_pilota_value = &mut self.field272;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field272));
                                error
                            })
                        }
                        280 => {
                            let mut _inner_pilota_value = &mut self.field280;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field280));
                                error
                            })
                        }
                        _ => ::pilota::pb::encoding::skip_field(wire_type, tag, buf, ctx),
                    }
                }
            }

            impl ::std::default::Default for GoogleMessage1SubMessage {
                fn default() -> Self {
                    GoogleMessage1SubMessage {
                        field1: ::std::option::Option::Some(0i32),
                        field2: ::std::option::Option::Some(0i32),
                        field3: ::std::option::Option::Some(0i32),
                        field12: ::std::option::Option::Some(true),
                        field13: ::std::default::Default::default(),
                        field14: ::std::default::Default::default(),
                        field15: ::std::default::Default::default(),
                        field16: ::std::default::Default::default(),
                        field19: ::std::option::Option::Some(2i32),
                        field20: ::std::option::Option::Some(true),
                        field21: ::std::default::Default::default(),
                        field22: ::std::default::Default::default(),
                        field23: ::std::option::Option::Some(false),
                        field28: ::std::option::Option::Some(true),
                        field203: ::std::default::Default::default(),
                        field204: ::std::default::Default::default(),
                        field205: ::std::default::Default::default(),
                        field206: ::std::option::Option::Some(false),
                        field207: ::std::default::Default::default(),
                        field300: ::std::default::Default::default(),
                    }
                }
            }
            #[derive(PartialOrd, Hash, Eq, Ord, Debug, Clone, PartialEq)]
            pub struct GoogleMessage1SubMessage {
                pub field1: ::std::option::Option<i32>,

                pub field2: ::std::option::Option<i32>,

                pub field3: ::std::option::Option<i32>,

                pub field12: ::std::option::Option<bool>,

                pub field13: ::std::option::Option<i64>,

                pub field14: ::std::option::Option<i64>,

                pub field15: ::std::option::Option<::pilota::FastStr>,

                pub field16: ::std::option::Option<i32>,

                pub field19: ::std::option::Option<i32>,

                pub field20: ::std::option::Option<bool>,

                pub field21: ::std::option::Option<u64>,

                pub field22: ::std::option::Option<i32>,

                pub field23: ::std::option::Option<bool>,

                pub field28: ::std::option::Option<bool>,

                pub field203: ::std::option::Option<u32>,

                pub field204: ::std::option::Option<i32>,

                pub field205: ::std::option::Option<::pilota::FastStr>,

                pub field206: ::std::option::Option<bool>,

                pub field207: ::std::option::Option<u64>,

                pub field300: ::std::option::Option<u64>,
            }
            impl ::pilota::pb::Message for GoogleMessage1SubMessage {
                #[inline]
                fn encoded_len(&self, ctx: &mut ::pilota::pb::EncodeLengthContext) -> usize {
                    0 + self.field1.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::int32::encoded_len(ctx, 1, value)
                    }) + self.field2.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::int32::encoded_len(ctx, 2, value)
                    }) + self.field3.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::int32::encoded_len(ctx, 3, value)
                    }) + self.field12.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::bool::encoded_len(ctx, 12, value)
                    }) + self.field13.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::int64::encoded_len(ctx, 13, value)
                    }) + self.field14.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::int64::encoded_len(ctx, 14, value)
                    }) + self.field15.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::faststr::encoded_len(ctx, 15, value)
                    }) + self.field16.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::int32::encoded_len(ctx, 16, value)
                    }) + self.field19.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::int32::encoded_len(ctx, 19, value)
                    }) + self.field20.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::bool::encoded_len(ctx, 20, value)
                    }) + self.field21.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::fixed64::encoded_len(ctx, 21, value)
                    }) + self.field22.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::int32::encoded_len(ctx, 22, value)
                    }) + self.field23.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::bool::encoded_len(ctx, 23, value)
                    }) + self.field28.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::bool::encoded_len(ctx, 28, value)
                    }) + self.field203.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::fixed32::encoded_len(ctx, 203, value)
                    }) + self.field204.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::int32::encoded_len(ctx, 204, value)
                    }) + self.field205.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::faststr::encoded_len(ctx, 205, value)
                    }) + self.field206.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::bool::encoded_len(ctx, 206, value)
                    }) + self.field207.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::uint64::encoded_len(ctx, 207, value)
                    }) + self.field300.as_ref().map_or(0, |value| {
                        ::pilota::pb::encoding::uint64::encoded_len(ctx, 300, value)
                    })
                }

                #[allow(unused_variables)]
                fn encode_raw(&self, buf: &mut ::pilota::LinkedBytes) {
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field1.as_ref() {
                        ::pilota::pb::encoding::int32::encode(1, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field2.as_ref() {
                        ::pilota::pb::encoding::int32::encode(2, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field3.as_ref() {
                        ::pilota::pb::encoding::int32::encode(3, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field12.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(12, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field13.as_ref()
                    {
                        ::pilota::pb::encoding::int64::encode(13, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field14.as_ref()
                    {
                        ::pilota::pb::encoding::int64::encode(14, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field15.as_ref()
                    {
                        ::pilota::pb::encoding::faststr::encode(15, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field16.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(16, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field19.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(19, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field20.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(20, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field21.as_ref()
                    {
                        ::pilota::pb::encoding::fixed64::encode(21, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field22.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(22, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field23.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(23, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field28.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(28, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field203.as_ref()
                    {
                        ::pilota::pb::encoding::fixed32::encode(203, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field204.as_ref()
                    {
                        ::pilota::pb::encoding::int32::encode(204, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field205.as_ref()
                    {
                        ::pilota::pb::encoding::faststr::encode(205, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field206.as_ref()
                    {
                        ::pilota::pb::encoding::bool::encode(206, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field207.as_ref()
                    {
                        ::pilota::pb::encoding::uint64::encode(207, _pilota_inner_value, buf);
                    };
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field300.as_ref()
                    {
                        ::pilota::pb::encoding::uint64::encode(300, _pilota_inner_value, buf);
                    };
                }

                #[allow(unused_variables)]
                fn merge_field(
                    &mut self,
                    tag: u32,
                    wire_type: ::pilota::pb::encoding::WireType,
                    buf: &mut ::pilota::Bytes,
                    ctx: &mut ::pilota::pb::encoding::DecodeContext,
                    is_root: bool,
                ) -> ::core::result::Result<(), ::pilota::pb::DecodeError> {
                    const STRUCT_NAME: &'static str = stringify!(GoogleMessage1SubMessage);

                    match tag {
                        1 => {
                            let mut _inner_pilota_value = &mut self.field1;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field1));
                                error
                            })
                        }
                        2 => {
                            let mut _inner_pilota_value = &mut self.field2;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field2));
                                error
                            })
                        }
                        3 => {
                            let mut _inner_pilota_value = &mut self.field3;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field3));
                                error
                            })
                        }
                        12 => {
                            let mut _inner_pilota_value = &mut self.field12;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field12));
                                error
                            })
                        }
                        13 => {
                            let mut _inner_pilota_value = &mut self.field13;
                            ::pilota::pb::encoding::int64::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field13));
                                error
                            })
                        }
                        14 => {
                            let mut _inner_pilota_value = &mut self.field14;
                            ::pilota::pb::encoding::int64::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field14));
                                error
                            })
                        }
                        15 => {
                            let mut _inner_pilota_value = &mut self.field15;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field15));
                                error
                            })
                        }
                        16 => {
                            let mut _inner_pilota_value = &mut self.field16;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field16));
                                error
                            })
                        }
                        19 => {
                            let mut _inner_pilota_value = &mut self.field19;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field19));
                                error
                            })
                        }
                        20 => {
                            let mut _inner_pilota_value = &mut self.field20;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field20));
                                error
                            })
                        }
                        21 => {
                            let mut _inner_pilota_value = &mut self.field21;
                            ::pilota::pb::encoding::fixed64::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field21));
                                error
                            })
                        }
                        22 => {
                            let mut _inner_pilota_value = &mut self.field22;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field22));
                                error
                            })
                        }
                        23 => {
                            let mut _inner_pilota_value = &mut self.field23;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field23));
                                error
                            })
                        }
                        28 => {
                            let mut _inner_pilota_value = &mut self.field28;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field28));
                                error
                            })
                        }
                        203 => {
                            let mut _inner_pilota_value = &mut self.field203;
                            ::pilota::pb::encoding::fixed32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field203));
                                error
                            })
                        }
                        204 => {
                            let mut _inner_pilota_value = &mut self.field204;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field204));
                                error
                            })
                        }
                        205 => {
                            let mut _inner_pilota_value = &mut self.field205;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field205));
                                error
                            })
                        }
                        206 => {
                            let mut _inner_pilota_value = &mut self.field206;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field206));
                                error
                            })
                        }
                        207 => {
                            let mut _inner_pilota_value = &mut self.field207;
                            ::pilota::pb::encoding::uint64::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field207));
                                error
                            })
                        }
                        300 => {
                            let mut _inner_pilota_value = &mut self.field300;
                            ::pilota::pb::encoding::uint64::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field300));
                                error
                            })
                        }
                        _ => ::pilota::pb::encoding::skip_field(wire_type, tag, buf, ctx),
                    }
                }
            }
        }

        pub mod proto3 {
            use ::pilota::{Buf as _, BufMut as _};
            #[derive(PartialOrd, Hash, Eq, Ord, Debug, Default, Clone, PartialEq)]
            pub struct GoogleMessage1 {
                pub field1: ::pilota::FastStr,

                pub field2: i32,

                pub field3: i32,

                pub field4: ::pilota::FastStr,

                pub field5: ::std::vec::Vec<u64>,

                pub field6: i32,

                pub field7: ::pilota::FastStr,

                pub field9: ::pilota::FastStr,

                pub field12: bool,

                pub field13: bool,

                pub field14: bool,

                pub field15: ::std::option::Option<GoogleMessage1SubMessage>,

                pub field16: i32,

                pub field17: bool,

                pub field18: ::pilota::FastStr,

                pub field22: i64,

                pub field23: i32,

                pub field24: bool,

                pub field25: i32,

                pub field29: i32,

                pub field30: bool,

                pub field59: bool,

                pub field60: i32,

                pub field67: i32,

                pub field68: i32,

                pub field78: bool,

                pub field80: bool,

                pub field81: bool,

                pub field100: i32,

                pub field101: i32,

                pub field102: ::pilota::FastStr,

                pub field103: ::pilota::FastStr,

                pub field104: i32,

                pub field128: i32,

                pub field129: ::pilota::FastStr,

                pub field130: i32,

                pub field131: i32,

                pub field150: i32,

                pub field271: i32,

                pub field272: i32,

                pub field280: i32,
            }
            impl ::pilota::pb::Message for GoogleMessage1 {
                #[inline]
                fn encoded_len(&self, ctx: &mut ::pilota::pb::EncodeLengthContext) -> usize {
                    0 + ::pilota::pb::encoding::faststr::encoded_len(ctx, 1, &self.field1)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 2, &self.field2)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 3, &self.field3)
                        + ::pilota::pb::encoding::faststr::encoded_len(ctx, 4, &self.field4)
                        + ::pilota::pb::encoding::fixed64::encoded_len_packed(ctx, 5, &self.field5)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 6, &self.field6)
                        + ::pilota::pb::encoding::faststr::encoded_len(ctx, 7, &self.field7)
                        + ::pilota::pb::encoding::faststr::encoded_len(ctx, 9, &self.field9)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 12, &self.field12)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 13, &self.field13)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 14, &self.field14)
                        + self.field15.as_ref().map_or(0, |msg| {
                            ::pilota::pb::encoding::message::encoded_len(ctx, 15, msg)
                        })
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 16, &self.field16)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 17, &self.field17)
                        + ::pilota::pb::encoding::faststr::encoded_len(ctx, 18, &self.field18)
                        + ::pilota::pb::encoding::int64::encoded_len(ctx, 22, &self.field22)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 23, &self.field23)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 24, &self.field24)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 25, &self.field25)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 29, &self.field29)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 30, &self.field30)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 59, &self.field59)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 60, &self.field60)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 67, &self.field67)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 68, &self.field68)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 78, &self.field78)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 80, &self.field80)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 81, &self.field81)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 100, &self.field100)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 101, &self.field101)
                        + ::pilota::pb::encoding::faststr::encoded_len(ctx, 102, &self.field102)
                        + ::pilota::pb::encoding::faststr::encoded_len(ctx, 103, &self.field103)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 104, &self.field104)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 128, &self.field128)
                        + ::pilota::pb::encoding::faststr::encoded_len(ctx, 129, &self.field129)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 130, &self.field130)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 131, &self.field131)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 150, &self.field150)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 271, &self.field271)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 272, &self.field272)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 280, &self.field280)
                }

                #[allow(unused_variables)]
                fn encode_raw(&self, buf: &mut ::pilota::LinkedBytes) {
                    ::pilota::pb::encoding::faststr::encode(1, &self.field1, buf);
                    ::pilota::pb::encoding::int32::encode(2, &self.field2, buf);
                    ::pilota::pb::encoding::int32::encode(3, &self.field3, buf);
                    ::pilota::pb::encoding::faststr::encode(4, &self.field4, buf);
                    ::pilota::pb::encoding::fixed64::encode_packed(5, &self.field5, buf);
                    ::pilota::pb::encoding::int32::encode(6, &self.field6, buf);
                    ::pilota::pb::encoding::faststr::encode(7, &self.field7, buf);
                    ::pilota::pb::encoding::faststr::encode(9, &self.field9, buf);
                    ::pilota::pb::encoding::bool::encode(12, &self.field12, buf);
                    ::pilota::pb::encoding::bool::encode(13, &self.field13, buf);
                    ::pilota::pb::encoding::bool::encode(14, &self.field14, buf);
                    if let ::std::option::Option::Some(_pilota_inner_value) = self.field15.as_ref()
                    {
                        ::pilota::pb::encoding::message::encode(15, _pilota_inner_value, buf);
                    }
                    ::pilota::pb::encoding::int32::encode(16, &self.field16, buf);
                    ::pilota::pb::encoding::bool::encode(17, &self.field17, buf);
                    ::pilota::pb::encoding::faststr::encode(18, &self.field18, buf);
                    ::pilota::pb::encoding::int64::encode(22, &self.field22, buf);
                    ::pilota::pb::encoding::int32::encode(23, &self.field23, buf);
                    ::pilota::pb::encoding::bool::encode(24, &self.field24, buf);
                    ::pilota::pb::encoding::int32::encode(25, &self.field25, buf);
                    ::pilota::pb::encoding::int32::encode(29, &self.field29, buf);
                    ::pilota::pb::encoding::bool::encode(30, &self.field30, buf);
                    ::pilota::pb::encoding::bool::encode(59, &self.field59, buf);
                    ::pilota::pb::encoding::int32::encode(60, &self.field60, buf);
                    ::pilota::pb::encoding::int32::encode(67, &self.field67, buf);
                    ::pilota::pb::encoding::int32::encode(68, &self.field68, buf);
                    ::pilota::pb::encoding::bool::encode(78, &self.field78, buf);
                    ::pilota::pb::encoding::bool::encode(80, &self.field80, buf);
                    ::pilota::pb::encoding::bool::encode(81, &self.field81, buf);
                    ::pilota::pb::encoding::int32::encode(100, &self.field100, buf);
                    ::pilota::pb::encoding::int32::encode(101, &self.field101, buf);
                    ::pilota::pb::encoding::faststr::encode(102, &self.field102, buf);
                    ::pilota::pb::encoding::faststr::encode(103, &self.field103, buf);
                    ::pilota::pb::encoding::int32::encode(104, &self.field104, buf);
                    ::pilota::pb::encoding::int32::encode(128, &self.field128, buf);
                    ::pilota::pb::encoding::faststr::encode(129, &self.field129, buf);
                    ::pilota::pb::encoding::int32::encode(130, &self.field130, buf);
                    ::pilota::pb::encoding::int32::encode(131, &self.field131, buf);
                    ::pilota::pb::encoding::int32::encode(150, &self.field150, buf);
                    ::pilota::pb::encoding::int32::encode(271, &self.field271, buf);
                    ::pilota::pb::encoding::int32::encode(272, &self.field272, buf);
                    ::pilota::pb::encoding::int32::encode(280, &self.field280, buf);
                }

                #[allow(unused_variables)]
                fn merge_field(
                    &mut self,
                    tag: u32,
                    wire_type: ::pilota::pb::encoding::WireType,
                    buf: &mut ::pilota::Bytes,
                    ctx: &mut ::pilota::pb::encoding::DecodeContext,
                    is_root: bool,
                ) -> ::core::result::Result<(), ::pilota::pb::DecodeError> {
                    const STRUCT_NAME: &'static str = stringify!(GoogleMessage1);

                    match tag {
                        1 => {
                            let mut _inner_pilota_value = &mut self.field1;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field1));
                                error
                            })
                        }
                        2 => {
                            let mut _inner_pilota_value = &mut self.field2;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field2));
                                error
                            })
                        }
                        3 => {
                            let mut _inner_pilota_value = &mut self.field3;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field3));
                                error
                            })
                        }
                        4 => {
                            let mut _inner_pilota_value = &mut self.field4;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field4));
                                error
                            })
                        }
                        5 => {
                            let mut _inner_pilota_value = &mut self.field5;
                            ::pilota::pb::encoding::fixed64::merge_repeated(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field5));
                                error
                            })
                        }
                        6 => {
                            let mut _inner_pilota_value = &mut self.field6;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field6));
                                error
                            })
                        }
                        7 => {
                            let mut _inner_pilota_value = &mut self.field7;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field7));
                                error
                            })
                        }
                        9 => {
                            let mut _inner_pilota_value = &mut self.field9;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field9));
                                error
                            })
                        }
                        12 => {
                            let mut _inner_pilota_value = &mut self.field12;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field12));
                                error
                            })
                        }
                        13 => {
                            let mut _inner_pilota_value = &mut self.field13;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field13));
                                error
                            })
                        }
                        14 => {
                            let mut _inner_pilota_value = &mut self.field14;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field14));
                                error
                            })
                        }
                        15 => {
                            let mut _inner_pilota_value = &mut self.field15;
                            ::pilota::pb::encoding::message::merge(
                                wire_type,
                                _inner_pilota_value
                                    .get_or_insert_with(::core::default::Default::default),
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field15));
                                error
                            })
                        }
                        16 => {
                            let mut _inner_pilota_value = &mut self.field16;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field16));
                                error
                            })
                        }
                        17 => {
                            let mut _inner_pilota_value = &mut self.field17;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field17));
                                error
                            })
                        }
                        18 => {
                            let mut _inner_pilota_value = &mut self.field18;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field18));
                                error
                            })
                        }
                        22 => {
                            let mut _inner_pilota_value = &mut self.field22;
                            ::pilota::pb::encoding::int64::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field22));
                                error
                            })
                        }
                        23 => {
                            let mut _inner_pilota_value = &mut self.field23;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field23));
                                error
                            })
                        }
                        24 => {
                            let mut _inner_pilota_value = &mut self.field24;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field24));
                                error
                            })
                        }
                        25 => {
                            let mut _inner_pilota_value = &mut self.field25;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field25));
                                error
                            })
                        }
                        29 => {
                            let mut _inner_pilota_value = &mut self.field29;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field29));
                                error
                            })
                        }
                        30 => {
                            let mut _inner_pilota_value = &mut self.field30;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field30));
                                error
                            })
                        }
                        59 => {
                            let mut _inner_pilota_value = &mut self.field59;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field59));
                                error
                            })
                        }
                        60 => {
                            let mut _inner_pilota_value = &mut self.field60;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field60));
                                error
                            })
                        }
                        67 => {
                            let mut _inner_pilota_value = &mut self.field67;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field67));
                                error
                            })
                        }
                        68 => {
                            let mut _inner_pilota_value = &mut self.field68;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field68));
                                error
                            })
                        }
                        78 => {
                            let mut _inner_pilota_value = &mut self.field78;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field78));
                                error
                            })
                        }
                        80 => {
                            let mut _inner_pilota_value = &mut self.field80;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field80));
                                error
                            })
                        }
                        81 => {
                            let mut _inner_pilota_value = &mut self.field81;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field81));
                                error
                            })
                        }
                        100 => {
                            let mut _inner_pilota_value = &mut self.field100;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field100));
                                error
                            })
                        }
                        101 => {
                            let mut _inner_pilota_value = &mut self.field101;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field101));
                                error
                            })
                        }
                        102 => {
                            let mut _inner_pilota_value = &mut self.field102;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field102));
                                error
                            })
                        }
                        103 => {
                            let mut _inner_pilota_value = &mut self.field103;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field103));
                                error
                            })
                        }
                        104 => {
                            let mut _inner_pilota_value = &mut self.field104;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field104));
                                error
                            })
                        }
                        128 => {
                            let mut _inner_pilota_value = &mut self.field128;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field128));
                                error
                            })
                        }
                        129 => {
                            let mut _inner_pilota_value = &mut self.field129;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field129));
                                error
                            })
                        }
                        130 => {
                            let mut _inner_pilota_value = &mut self.field130;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field130));
                                error
                            })
                        }
                        131 => {
                            let mut _inner_pilota_value = &mut self.field131;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field131));
                                error
                            })
                        }
                        150 => {
                            let mut _inner_pilota_value = &mut self.field150;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field150));
                                error
                            })
                        }
                        271 => {
                            let mut _inner_pilota_value = &mut self.field271;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field271));
                                error
                            })
                        }
                        272 => {
                            let mut _inner_pilota_value = &mut self.field272;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field272));
                                error
                            })
                        }
                        280 => {
                            let mut _inner_pilota_value = &mut self.field280;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field280));
                                error
                            })
                        }
                        _ => ::pilota::pb::encoding::skip_field(wire_type, tag, buf, ctx),
                    }
                }
            }
            #[derive(PartialOrd, Hash, Eq, Ord, Debug, Default, Clone, PartialEq)]
            pub struct GoogleMessage1SubMessage {
                pub field1: i32,

                pub field2: i32,

                pub field3: i32,

                pub field12: bool,

                pub field13: i64,

                pub field14: i64,

                pub field15: ::pilota::FastStr,

                pub field16: i32,

                pub field19: i32,

                pub field20: bool,

                pub field21: u64,

                pub field22: i32,

                pub field23: bool,

                pub field28: bool,

                pub field203: u32,

                pub field204: i32,

                pub field205: ::pilota::FastStr,

                pub field206: bool,

                pub field207: u64,

                pub field300: u64,
            }
            impl ::pilota::pb::Message for GoogleMessage1SubMessage {
                #[inline]
                fn encoded_len(&self, ctx: &mut ::pilota::pb::EncodeLengthContext) -> usize {
                    0 + ::pilota::pb::encoding::int32::encoded_len(ctx, 1, &self.field1)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 2, &self.field2)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 3, &self.field3)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 12, &self.field12)
                        + ::pilota::pb::encoding::int64::encoded_len(ctx, 13, &self.field13)
                        + ::pilota::pb::encoding::int64::encoded_len(ctx, 14, &self.field14)
                        + ::pilota::pb::encoding::faststr::encoded_len(ctx, 15, &self.field15)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 16, &self.field16)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 19, &self.field19)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 20, &self.field20)
                        + ::pilota::pb::encoding::fixed64::encoded_len(ctx, 21, &self.field21)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 22, &self.field22)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 23, &self.field23)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 28, &self.field28)
                        + ::pilota::pb::encoding::fixed32::encoded_len(ctx, 203, &self.field203)
                        + ::pilota::pb::encoding::int32::encoded_len(ctx, 204, &self.field204)
                        + ::pilota::pb::encoding::faststr::encoded_len(ctx, 205, &self.field205)
                        + ::pilota::pb::encoding::bool::encoded_len(ctx, 206, &self.field206)
                        + ::pilota::pb::encoding::uint64::encoded_len(ctx, 207, &self.field207)
                        + ::pilota::pb::encoding::uint64::encoded_len(ctx, 300, &self.field300)
                }

                #[allow(unused_variables)]
                fn encode_raw(&self, buf: &mut ::pilota::LinkedBytes) {
                    ::pilota::pb::encoding::int32::encode(1, &self.field1, buf);
                    ::pilota::pb::encoding::int32::encode(2, &self.field2, buf);
                    ::pilota::pb::encoding::int32::encode(3, &self.field3, buf);
                    ::pilota::pb::encoding::bool::encode(12, &self.field12, buf);
                    ::pilota::pb::encoding::int64::encode(13, &self.field13, buf);
                    ::pilota::pb::encoding::int64::encode(14, &self.field14, buf);
                    ::pilota::pb::encoding::faststr::encode(15, &self.field15, buf);
                    ::pilota::pb::encoding::int32::encode(16, &self.field16, buf);
                    ::pilota::pb::encoding::int32::encode(19, &self.field19, buf);
                    ::pilota::pb::encoding::bool::encode(20, &self.field20, buf);
                    ::pilota::pb::encoding::fixed64::encode(21, &self.field21, buf);
                    ::pilota::pb::encoding::int32::encode(22, &self.field22, buf);
                    ::pilota::pb::encoding::bool::encode(23, &self.field23, buf);
                    ::pilota::pb::encoding::bool::encode(28, &self.field28, buf);
                    ::pilota::pb::encoding::fixed32::encode(203, &self.field203, buf);
                    ::pilota::pb::encoding::int32::encode(204, &self.field204, buf);
                    ::pilota::pb::encoding::faststr::encode(205, &self.field205, buf);
                    ::pilota::pb::encoding::bool::encode(206, &self.field206, buf);
                    ::pilota::pb::encoding::uint64::encode(207, &self.field207, buf);
                    ::pilota::pb::encoding::uint64::encode(300, &self.field300, buf);
                }

                #[allow(unused_variables)]
                fn merge_field(
                    &mut self,
                    tag: u32,
                    wire_type: ::pilota::pb::encoding::WireType,
                    buf: &mut ::pilota::Bytes,
                    ctx: &mut ::pilota::pb::encoding::DecodeContext,
                    is_root: bool,
                ) -> ::core::result::Result<(), ::pilota::pb::DecodeError> {
                    const STRUCT_NAME: &'static str = stringify!(GoogleMessage1SubMessage);

                    match tag {
                        1 => {
                            let mut _inner_pilota_value = &mut self.field1;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field1));
                                error
                            })
                        }
                        2 => {
                            let mut _inner_pilota_value = &mut self.field2;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field2));
                                error
                            })
                        }
                        3 => {
                            let mut _inner_pilota_value = &mut self.field3;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field3));
                                error
                            })
                        }
                        12 => {
                            let mut _inner_pilota_value = &mut self.field12;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field12));
                                error
                            })
                        }
                        13 => {
                            let mut _inner_pilota_value = &mut self.field13;
                            ::pilota::pb::encoding::int64::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field13));
                                error
                            })
                        }
                        14 => {
                            let mut _inner_pilota_value = &mut self.field14;
                            ::pilota::pb::encoding::int64::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field14));
                                error
                            })
                        }
                        15 => {
                            let mut _inner_pilota_value = &mut self.field15;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field15));
                                error
                            })
                        }
                        16 => {
                            let mut _inner_pilota_value = &mut self.field16;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field16));
                                error
                            })
                        }
                        19 => {
                            let mut _inner_pilota_value = &mut self.field19;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field19));
                                error
                            })
                        }
                        20 => {
                            let mut _inner_pilota_value = &mut self.field20;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field20));
                                error
                            })
                        }
                        21 => {
                            let mut _inner_pilota_value = &mut self.field21;
                            ::pilota::pb::encoding::fixed64::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field21));
                                error
                            })
                        }
                        22 => {
                            let mut _inner_pilota_value = &mut self.field22;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field22));
                                error
                            })
                        }
                        23 => {
                            let mut _inner_pilota_value = &mut self.field23;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field23));
                                error
                            })
                        }
                        28 => {
                            let mut _inner_pilota_value = &mut self.field28;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field28));
                                error
                            })
                        }
                        203 => {
                            let mut _inner_pilota_value = &mut self.field203;
                            ::pilota::pb::encoding::fixed32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field203));
                                error
                            })
                        }
                        204 => {
                            let mut _inner_pilota_value = &mut self.field204;
                            ::pilota::pb::encoding::int32::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field204));
                                error
                            })
                        }
                        205 => {
                            let mut _inner_pilota_value = &mut self.field205;
                            ::pilota::pb::encoding::faststr::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field205));
                                error
                            })
                        }
                        206 => {
                            let mut _inner_pilota_value = &mut self.field206;
                            ::pilota::pb::encoding::bool::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field206));
                                error
                            })
                        }
                        207 => {
                            let mut _inner_pilota_value = &mut self.field207;
                            ::pilota::pb::encoding::uint64::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field207));
                                error
                            })
                        }
                        300 => {
                            let mut _inner_pilota_value = &mut self.field300;
                            ::pilota::pb::encoding::uint64::merge(
                                wire_type,
                                _inner_pilota_value,
                                buf,
                                ctx,
                            )
                            .map_err(|mut error| {
                                error.push(STRUCT_NAME, stringify!(field300));
                                error
                            })
                        }
                        _ => ::pilota::pb::encoding::skip_field(wire_type, tag, buf, ctx),
                    }
                }
            }
        }
    }
}
