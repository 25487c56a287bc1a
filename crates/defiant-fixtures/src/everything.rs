//! All messages of the `everything` protos, mirrored.

use crate::entropy::{Draw, Entropy, list, map, one_of};
use crate::mirror::{Same, mirror, same_list, same_map};
use crate::{defiant::everything as d, prost::everything as p};

const LEVELS: [i32; 3] = [1, 5, -3];

fn level(entropy: &mut Entropy<'_>) -> i32 {
    one_of(entropy, &LEVELS)
}

fn optional_level(entropy: &mut Entropy<'_>) -> Option<i32> {
    bool::draw(entropy).then(|| level(entropy))
}

fn levels(entropy: &mut Entropy<'_>) -> Vec<i32> {
    list::<bool>(entropy).iter().map(|_| level(entropy)).collect()
}

/// Few levels of nesting: more than the bytes of a test can fill are cut by their end, but depth
/// is limited.
fn shallow<T: Default + Draw>(entropy: &mut Entropy<'_>) -> Option<T> {
    (entropy.byte() % 5 == 1).then(|| T::draw(entropy))
}

mirror! { d::proto2::Leaf<'_>, p::proto2::Leaf { one { number } list { names } } }

mirror! { d::proto2::Empty, p::proto2::Empty {} }

mirror! {
    d::proto2::Tree<'_>, p::proto2::Tree {
        one { value }
        with {
            left: shallow, Same::same;
            branch: shallow, Same::same;
            children: |entropy: &mut Entropy<'_>| Vec::from_iter(shallow(entropy)),
                |d: &&[d::proto2::Tree<'_>], p: &Vec<_>| same_list(d, p);
        }
    }
}

mirror! {
    d::proto2::tree::Branch<'_>, p::proto2::tree::Branch {
        list { marks }
        with { tree: shallow, Same::same; }
    }
}

mirror! {
    d::proto2::everything::Single<'_>, p::proto2::everything::Single { one { a b } }
}

mirror! {
    d::proto2::everything::Many<'_>, p::proto2::everything::Many { one { inner } list { a } }
}

mirror! {
    d::proto2::everything::many::Inner<'_>, p::proto2::everything::many::Inner { one { c } }
}

mirror! {
    d::proto2::everything::ChoiceGroup, p::proto2::everything::ChoiceGroup { one { d } }
}

impl Draw for p::proto2::everything::Choice {
    fn draw(entropy: &mut Entropy<'_>) -> Self {
        match entropy.byte() % 8 {
            0 => Self::ChoiceInt32(Draw::draw(entropy)),
            1 => Self::ChoiceString(Draw::draw(entropy)),
            2 => Self::ChoiceBytes(Draw::draw(entropy)),
            3 => Self::ChoiceLeaf(Draw::draw(entropy)),
            4 => Self::ChoiceLevel(level(entropy)),
            5 => Self::ChoiceDouble(Draw::draw(entropy)),
            6 => Self::Choicegroup(Draw::draw(entropy)),
            _ => Self::ChoiceEmpty(Draw::draw(entropy)),
        }
    }
}

impl Same<p::proto2::everything::Choice> for d::proto2::everything::Choice<'_> {
    fn same(&self, prost: &p::proto2::everything::Choice) -> bool {
        use {d::proto2::everything::Choice as D, p::proto2::everything::Choice as P};
        match (self, prost) {
            (D::ChoiceInt32(d), P::ChoiceInt32(p)) => d.same(p),
            (D::ChoiceString(d), P::ChoiceString(p)) => d.same(p),
            (D::ChoiceBytes(d), P::ChoiceBytes(p)) => d.same(p),
            (D::ChoiceLeaf(d), P::ChoiceLeaf(p)) => d.same(p),
            (D::ChoiceLevel(d), P::ChoiceLevel(p)) => d.same(p),
            (D::ChoiceDouble(d), P::ChoiceDouble(p)) => d.same(p),
            (D::Choicegroup(d), P::Choicegroup(p)) => d.same(p),
            (D::ChoiceEmpty(d), P::ChoiceEmpty(p)) => d.same(p),
            _ => false,
        }
    }
}

mirror! {
    d::proto2::Everything<'_>, p::proto2::Everything {
        one {
            optional_double optional_float optional_int32 optional_int64 optional_uint32
            optional_uint64 optional_sint32 optional_sint64 optional_fixed32 optional_fixed64
            optional_sfixed32 optional_sfixed64 optional_bool optional_string optional_bytes
            leaf tree empty single choice r#type
        }
        list {
            repeated_double repeated_float repeated_int32 repeated_int64 repeated_uint32
            repeated_uint64 repeated_sint32 repeated_sint64 repeated_fixed32 repeated_fixed64
            repeated_sfixed32 repeated_sfixed64 repeated_bool repeated_string repeated_bytes
            packed_double packed_float packed_int32 packed_int64 packed_uint32 packed_uint64
            packed_sint32 packed_sint64 packed_fixed32 packed_fixed64 packed_sfixed32
            packed_sfixed64 packed_bool leaves empties many
        }
        map { map_string_int64 map_int32_leaf }
        with {
            optional_level: optional_level, Same::same;
            repeated_level: levels, |d: &&[i32], p: &Vec<_>| same_list(d, p);
            packed_level: levels, |d: &&[i32], p: &Vec<_>| same_list(d, p);
            map_uint64_level: |entropy: &mut Entropy<'_>| {
                map::<u64, bool>(entropy).into_keys().map(|key| (key, level(entropy))).collect()
            }, |d: &::defiant::Map<'_, u64, i32>, p: &_| same_map(*d, p);
        }
    }
}

mirror! { d::proto3::option::Result, p::proto3::option::Result { one { some } } }

mirror! {
    d::proto3::Option<'_>, p::proto3::Option { one { result key } list { rest input scope } }
}

impl Draw for p::proto3::everything::Choice {
    fn draw(entropy: &mut Entropy<'_>) -> Self {
        match entropy.byte() % 3 {
            0 => Self::ChoiceBool(Draw::draw(entropy)),
            1 => Self::ChoiceColor(Draw::draw(entropy)),
            _ => Self::ChoiceEverything(Draw::draw(entropy)),
        }
    }
}

impl Same<p::proto3::everything::Choice> for d::proto3::everything::Choice<'_> {
    fn same(&self, prost: &p::proto3::everything::Choice) -> bool {
        use {d::proto3::everything::Choice as D, p::proto3::everything::Choice as P};
        match (self, prost) {
            (D::ChoiceBool(d), P::ChoiceBool(p)) => d.same(p),
            (D::ChoiceColor(d), P::ChoiceColor(p)) => d.same(p),
            (D::ChoiceEverything(d), P::ChoiceEverything(p)) => d.same(p),
            _ => false,
        }
    }
}

impl Draw for p::proto3::everything::Number {
    fn draw(entropy: &mut Entropy<'_>) -> Self {
        match entropy.byte() % 2 {
            0 => Self::NumberSint32(Draw::draw(entropy)),
            _ => Self::NumberFixed32(Draw::draw(entropy)),
        }
    }
}

impl Same<p::proto3::everything::Number> for d::proto3::everything::Number {
    fn same(&self, prost: &p::proto3::everything::Number) -> bool {
        use {d::proto3::everything::Number as D, p::proto3::everything::Number as P};
        match (self, prost) {
            (D::NumberSint32(d), P::NumberSint32(p)) => d.same(p),
            (D::NumberFixed32(d), P::NumberFixed32(p)) => d.same(p),
            _ => false,
        }
    }
}

mirror! {
    d::proto3::Everything<'_>, p::proto3::Everything {
        one {
            plain_double plain_float plain_int32 plain_int64 plain_uint32 plain_uint64
            plain_sint32 plain_sint64 plain_fixed32 plain_fixed64 plain_sfixed32 plain_sfixed64
            plain_bool plain_string plain_bytes plain_color optional_double optional_float
            optional_int32 optional_int64 optional_uint32 optional_uint64 optional_sint32
            optional_sint64 optional_fixed32 optional_fixed64 optional_sfixed32
            optional_sfixed64 optional_bool optional_string optional_bytes optional_color option
            everything leaf choice number
        }
        list {
            repeated_double repeated_float repeated_int32 repeated_int64 repeated_uint32
            repeated_uint64 repeated_sint32 repeated_sint64 repeated_fixed32 repeated_fixed64
            repeated_sfixed32 repeated_sfixed64 repeated_bool repeated_string repeated_bytes
            repeated_color unpacked_double unpacked_float unpacked_int32 unpacked_int64
            unpacked_uint32 unpacked_uint64 unpacked_sint32 unpacked_sint64 unpacked_fixed32
            unpacked_fixed64 unpacked_sfixed32 unpacked_sfixed64 unpacked_bool options
        }
        map {
            map_int32 map_int64 map_uint32 map_uint64 map_sint32 map_sint64 map_fixed32
            map_fixed64 map_sfixed32 map_sfixed64 map_bool map_string map_double map_color
            map_option
        }
    }
}
