// Generated from the schemas in `benches/protos`; do not edit. To write it again:
// UPDATE_GENERATED=1 cargo test -p benchmarks-codegen
impl serde::Serialize for Car {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.serial_number.is_some() {
            len += 1;
        }
        if self.model_year.is_some() {
            len += 1;
        }
        if self.available.is_some() {
            len += 1;
        }
        if self.code.is_some() {
            len += 1;
        }
        if !self.some_numbers.is_empty() {
            len += 1;
        }
        if self.vehicle_code.is_some() {
            len += 1;
        }
        if !self.extras.is_empty() {
            len += 1;
        }
        if self.engine.is_some() {
            len += 1;
        }
        if !self.fuel_figures.is_empty() {
            len += 1;
        }
        if !self.performance_figures.is_empty() {
            len += 1;
        }
        if self.manufacturer.is_some() {
            len += 1;
        }
        if self.model.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("benchmarks.robobuffers.Car", len)?;
        if let Some(v) = self.serial_number.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("serialNumber", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.model_year.as_ref() {
            struct_ser.serialize_field("modelYear", v)?;
        }
        if let Some(v) = self.available.as_ref() {
            struct_ser.serialize_field("available", v)?;
        }
        if let Some(v) = self.code.as_ref() {
            let v = car::Model::try_from(*v)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", *v)))?;
            struct_ser.serialize_field("code", &v)?;
        }
        if !self.some_numbers.is_empty() {
            struct_ser.serialize_field("someNumbers", &self.some_numbers)?;
        }
        if let Some(v) = self.vehicle_code.as_ref() {
            struct_ser.serialize_field("vehicleCode", v)?;
        }
        if !self.extras.is_empty() {
            let v = self.extras.iter().cloned().map(|v| {
                car::Extra::try_from(v)
                    .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", v)))
                }).collect::<std::result::Result<Vec<_>, _>>()?;
            struct_ser.serialize_field("extras", &v)?;
        }
        if let Some(v) = self.engine.as_ref() {
            struct_ser.serialize_field("engine", v)?;
        }
        if !self.fuel_figures.is_empty() {
            struct_ser.serialize_field("fuelFigures", &self.fuel_figures)?;
        }
        if !self.performance_figures.is_empty() {
            struct_ser.serialize_field("performanceFigures", &self.performance_figures)?;
        }
        if let Some(v) = self.manufacturer.as_ref() {
            struct_ser.serialize_field("manufacturer", v)?;
        }
        if let Some(v) = self.model.as_ref() {
            struct_ser.serialize_field("model", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for Car {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "serial_number",
            "serialNumber",
            "model_year",
            "modelYear",
            "available",
            "code",
            "some_numbers",
            "someNumbers",
            "vehicle_code",
            "vehicleCode",
            "extras",
            "engine",
            "fuel_figures",
            "fuelFigures",
            "performance_figures",
            "performanceFigures",
            "manufacturer",
            "model",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            SerialNumber,
            ModelYear,
            Available,
            Code,
            SomeNumbers,
            VehicleCode,
            Extras,
            Engine,
            FuelFigures,
            PerformanceFigures,
            Manufacturer,
            Model,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "serialNumber" | "serial_number" => Ok(GeneratedField::SerialNumber),
                            "modelYear" | "model_year" => Ok(GeneratedField::ModelYear),
                            "available" => Ok(GeneratedField::Available),
                            "code" => Ok(GeneratedField::Code),
                            "someNumbers" | "some_numbers" => Ok(GeneratedField::SomeNumbers),
                            "vehicleCode" | "vehicle_code" => Ok(GeneratedField::VehicleCode),
                            "extras" => Ok(GeneratedField::Extras),
                            "engine" => Ok(GeneratedField::Engine),
                            "fuelFigures" | "fuel_figures" => Ok(GeneratedField::FuelFigures),
                            "performanceFigures" | "performance_figures" => Ok(GeneratedField::PerformanceFigures),
                            "manufacturer" => Ok(GeneratedField::Manufacturer),
                            "model" => Ok(GeneratedField::Model),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = Car;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct benchmarks.robobuffers.Car")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<Car, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut serial_number__ = None;
                let mut model_year__ = None;
                let mut available__ = None;
                let mut code__ = None;
                let mut some_numbers__ = None;
                let mut vehicle_code__ = None;
                let mut extras__ = None;
                let mut engine__ = None;
                let mut fuel_figures__ = None;
                let mut performance_figures__ = None;
                let mut manufacturer__ = None;
                let mut model__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::SerialNumber => {
                            if serial_number__.is_some() {
                                return Err(serde::de::Error::duplicate_field("serialNumber"));
                            }
                            serial_number__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::ModelYear => {
                            if model_year__.is_some() {
                                return Err(serde::de::Error::duplicate_field("modelYear"));
                            }
                            model_year__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Available => {
                            if available__.is_some() {
                                return Err(serde::de::Error::duplicate_field("available"));
                            }
                            available__ = map_.next_value()?;
                        }
                        GeneratedField::Code => {
                            if code__.is_some() {
                                return Err(serde::de::Error::duplicate_field("code"));
                            }
                            code__ = map_.next_value::<::std::option::Option<car::Model>>()?.map(|x| x as i32);
                        }
                        GeneratedField::SomeNumbers => {
                            if some_numbers__.is_some() {
                                return Err(serde::de::Error::duplicate_field("someNumbers"));
                            }
                            some_numbers__ = 
                                Some(map_.next_value::<Vec<::pbjson::private::NumberDeserialize<_>>>()?
                                    .into_iter().map(|x| x.0).collect())
                            ;
                        }
                        GeneratedField::VehicleCode => {
                            if vehicle_code__.is_some() {
                                return Err(serde::de::Error::duplicate_field("vehicleCode"));
                            }
                            vehicle_code__ = map_.next_value()?;
                        }
                        GeneratedField::Extras => {
                            if extras__.is_some() {
                                return Err(serde::de::Error::duplicate_field("extras"));
                            }
                            extras__ = Some(map_.next_value::<Vec<car::Extra>>()?.into_iter().map(|x| x as i32).collect());
                        }
                        GeneratedField::Engine => {
                            if engine__.is_some() {
                                return Err(serde::de::Error::duplicate_field("engine"));
                            }
                            engine__ = map_.next_value()?;
                        }
                        GeneratedField::FuelFigures => {
                            if fuel_figures__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fuelFigures"));
                            }
                            fuel_figures__ = Some(map_.next_value()?);
                        }
                        GeneratedField::PerformanceFigures => {
                            if performance_figures__.is_some() {
                                return Err(serde::de::Error::duplicate_field("performanceFigures"));
                            }
                            performance_figures__ = Some(map_.next_value()?);
                        }
                        GeneratedField::Manufacturer => {
                            if manufacturer__.is_some() {
                                return Err(serde::de::Error::duplicate_field("manufacturer"));
                            }
                            manufacturer__ = map_.next_value()?;
                        }
                        GeneratedField::Model => {
                            if model__.is_some() {
                                return Err(serde::de::Error::duplicate_field("model"));
                            }
                            model__ = map_.next_value()?;
                        }
                    }
                }
                Ok(Car {
                    serial_number: serial_number__,
                    model_year: model_year__,
                    available: available__,
                    code: code__,
                    some_numbers: some_numbers__.unwrap_or_default(),
                    vehicle_code: vehicle_code__,
                    extras: extras__.unwrap_or_default(),
                    engine: engine__,
                    fuel_figures: fuel_figures__.unwrap_or_default(),
                    performance_figures: performance_figures__.unwrap_or_default(),
                    manufacturer: manufacturer__,
                    model: model__,
                })
            }
        }
        deserializer.deserialize_struct("benchmarks.robobuffers.Car", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for car::Engine {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.capacity.is_some() {
            len += 1;
        }
        if self.cylinders.is_some() {
            len += 1;
        }
        if self.max_rpm.is_some() {
            len += 1;
        }
        if self.manufacturer_code.is_some() {
            len += 1;
        }
        if self.fuel.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("benchmarks.robobuffers.Car.Engine", len)?;
        if let Some(v) = self.capacity.as_ref() {
            struct_ser.serialize_field("capacity", v)?;
        }
        if let Some(v) = self.cylinders.as_ref() {
            struct_ser.serialize_field("cylinders", v)?;
        }
        if let Some(v) = self.max_rpm.as_ref() {
            struct_ser.serialize_field("maxRpm", v)?;
        }
        if let Some(v) = self.manufacturer_code.as_ref() {
            struct_ser.serialize_field("manufacturerCode", v)?;
        }
        if let Some(v) = self.fuel.as_ref() {
            struct_ser.serialize_field("fuel", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for car::Engine {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "capacity",
            "cylinders",
            "max_rpm",
            "maxRpm",
            "manufacturer_code",
            "manufacturerCode",
            "fuel",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Capacity,
            Cylinders,
            MaxRpm,
            ManufacturerCode,
            Fuel,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "capacity" => Ok(GeneratedField::Capacity),
                            "cylinders" => Ok(GeneratedField::Cylinders),
                            "maxRpm" | "max_rpm" => Ok(GeneratedField::MaxRpm),
                            "manufacturerCode" | "manufacturer_code" => Ok(GeneratedField::ManufacturerCode),
                            "fuel" => Ok(GeneratedField::Fuel),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = car::Engine;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct benchmarks.robobuffers.Car.Engine")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<car::Engine, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut capacity__ = None;
                let mut cylinders__ = None;
                let mut max_rpm__ = None;
                let mut manufacturer_code__ = None;
                let mut fuel__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Capacity => {
                            if capacity__.is_some() {
                                return Err(serde::de::Error::duplicate_field("capacity"));
                            }
                            capacity__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Cylinders => {
                            if cylinders__.is_some() {
                                return Err(serde::de::Error::duplicate_field("cylinders"));
                            }
                            cylinders__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::MaxRpm => {
                            if max_rpm__.is_some() {
                                return Err(serde::de::Error::duplicate_field("maxRpm"));
                            }
                            max_rpm__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::ManufacturerCode => {
                            if manufacturer_code__.is_some() {
                                return Err(serde::de::Error::duplicate_field("manufacturerCode"));
                            }
                            manufacturer_code__ = map_.next_value()?;
                        }
                        GeneratedField::Fuel => {
                            if fuel__.is_some() {
                                return Err(serde::de::Error::duplicate_field("fuel"));
                            }
                            fuel__ = map_.next_value()?;
                        }
                    }
                }
                Ok(car::Engine {
                    capacity: capacity__,
                    cylinders: cylinders__,
                    max_rpm: max_rpm__,
                    manufacturer_code: manufacturer_code__,
                    fuel: fuel__,
                })
            }
        }
        deserializer.deserialize_struct("benchmarks.robobuffers.Car.Engine", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for car::Extra {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::SportsPack => "SPORTS_PACK",
            Self::SunRoof => "SUN_ROOF",
            Self::CruiseControl => "CRUISE_CONTROL",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for car::Extra {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "SPORTS_PACK",
            "SUN_ROOF",
            "CRUISE_CONTROL",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = car::Extra;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "SPORTS_PACK" => Ok(car::Extra::SportsPack),
                    "SUN_ROOF" => Ok(car::Extra::SunRoof),
                    "CRUISE_CONTROL" => Ok(car::Extra::CruiseControl),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for car::FuelFigures {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.speed.is_some() {
            len += 1;
        }
        if self.mpg.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("benchmarks.robobuffers.Car.FuelFigures", len)?;
        if let Some(v) = self.speed.as_ref() {
            struct_ser.serialize_field("speed", v)?;
        }
        if let Some(v) = self.mpg.as_ref() {
            struct_ser.serialize_field("mpg", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for car::FuelFigures {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "speed",
            "mpg",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Speed,
            Mpg,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "speed" => Ok(GeneratedField::Speed),
                            "mpg" => Ok(GeneratedField::Mpg),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = car::FuelFigures;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct benchmarks.robobuffers.Car.FuelFigures")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<car::FuelFigures, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut speed__ = None;
                let mut mpg__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Speed => {
                            if speed__.is_some() {
                                return Err(serde::de::Error::duplicate_field("speed"));
                            }
                            speed__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Mpg => {
                            if mpg__.is_some() {
                                return Err(serde::de::Error::duplicate_field("mpg"));
                            }
                            mpg__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                    }
                }
                Ok(car::FuelFigures {
                    speed: speed__,
                    mpg: mpg__,
                })
            }
        }
        deserializer.deserialize_struct("benchmarks.robobuffers.Car.FuelFigures", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for car::Model {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for car::Model {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "A",
            "B",
            "C",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = car::Model;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "A" => Ok(car::Model::A),
                    "B" => Ok(car::Model::B),
                    "C" => Ok(car::Model::C),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for car::PerformanceFigures {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.octane_rating.is_some() {
            len += 1;
        }
        if !self.acceleration.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("benchmarks.robobuffers.Car.PerformanceFigures", len)?;
        if let Some(v) = self.octane_rating.as_ref() {
            struct_ser.serialize_field("octaneRating", v)?;
        }
        if !self.acceleration.is_empty() {
            struct_ser.serialize_field("acceleration", &self.acceleration)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for car::PerformanceFigures {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "octane_rating",
            "octaneRating",
            "acceleration",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            OctaneRating,
            Acceleration,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "octaneRating" | "octane_rating" => Ok(GeneratedField::OctaneRating),
                            "acceleration" => Ok(GeneratedField::Acceleration),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = car::PerformanceFigures;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct benchmarks.robobuffers.Car.PerformanceFigures")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<car::PerformanceFigures, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut octane_rating__ = None;
                let mut acceleration__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::OctaneRating => {
                            if octane_rating__.is_some() {
                                return Err(serde::de::Error::duplicate_field("octaneRating"));
                            }
                            octane_rating__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Acceleration => {
                            if acceleration__.is_some() {
                                return Err(serde::de::Error::duplicate_field("acceleration"));
                            }
                            acceleration__ = Some(map_.next_value()?);
                        }
                    }
                }
                Ok(car::PerformanceFigures {
                    octane_rating: octane_rating__,
                    acceleration: acceleration__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("benchmarks.robobuffers.Car.PerformanceFigures", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for car::performance_figures::Acceleration {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.mph.is_some() {
            len += 1;
        }
        if self.seconds.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("benchmarks.robobuffers.Car.PerformanceFigures.Acceleration", len)?;
        if let Some(v) = self.mph.as_ref() {
            struct_ser.serialize_field("mph", v)?;
        }
        if let Some(v) = self.seconds.as_ref() {
            struct_ser.serialize_field("seconds", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for car::performance_figures::Acceleration {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "mph",
            "seconds",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Mph,
            Seconds,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "mph" => Ok(GeneratedField::Mph),
                            "seconds" => Ok(GeneratedField::Seconds),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = car::performance_figures::Acceleration;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct benchmarks.robobuffers.Car.PerformanceFigures.Acceleration")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<car::performance_figures::Acceleration, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut mph__ = None;
                let mut seconds__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Mph => {
                            if mph__.is_some() {
                                return Err(serde::de::Error::duplicate_field("mph"));
                            }
                            mph__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Seconds => {
                            if seconds__.is_some() {
                                return Err(serde::de::Error::duplicate_field("seconds"));
                            }
                            seconds__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                    }
                }
                Ok(car::performance_figures::Acceleration {
                    mph: mph__,
                    seconds: seconds__,
                })
            }
        }
        deserializer.deserialize_struct("benchmarks.robobuffers.Car.PerformanceFigures.Acceleration", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for MarketData {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.transact_time.is_some() {
            len += 1;
        }
        if self.event_time_delta.is_some() {
            len += 1;
        }
        if self.match_event_indicator.is_some() {
            len += 1;
        }
        if !self.entries.is_empty() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("benchmarks.robobuffers.MarketData", len)?;
        if let Some(v) = self.transact_time.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("transactTime", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.event_time_delta.as_ref() {
            struct_ser.serialize_field("eventTimeDelta", v)?;
        }
        if let Some(v) = self.match_event_indicator.as_ref() {
            let v = market_data::MatchEventIndicator::try_from(*v)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", *v)))?;
            struct_ser.serialize_field("matchEventIndicator", &v)?;
        }
        if !self.entries.is_empty() {
            struct_ser.serialize_field("entries", &self.entries)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for MarketData {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "transact_time",
            "transactTime",
            "event_time_delta",
            "eventTimeDelta",
            "match_event_indicator",
            "matchEventIndicator",
            "entries",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            TransactTime,
            EventTimeDelta,
            MatchEventIndicator,
            Entries,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "transactTime" | "transact_time" => Ok(GeneratedField::TransactTime),
                            "eventTimeDelta" | "event_time_delta" => Ok(GeneratedField::EventTimeDelta),
                            "matchEventIndicator" | "match_event_indicator" => Ok(GeneratedField::MatchEventIndicator),
                            "entries" => Ok(GeneratedField::Entries),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = MarketData;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct benchmarks.robobuffers.MarketData")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<MarketData, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut transact_time__ = None;
                let mut event_time_delta__ = None;
                let mut match_event_indicator__ = None;
                let mut entries__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::TransactTime => {
                            if transact_time__.is_some() {
                                return Err(serde::de::Error::duplicate_field("transactTime"));
                            }
                            transact_time__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::EventTimeDelta => {
                            if event_time_delta__.is_some() {
                                return Err(serde::de::Error::duplicate_field("eventTimeDelta"));
                            }
                            event_time_delta__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::MatchEventIndicator => {
                            if match_event_indicator__.is_some() {
                                return Err(serde::de::Error::duplicate_field("matchEventIndicator"));
                            }
                            match_event_indicator__ = map_.next_value::<::std::option::Option<market_data::MatchEventIndicator>>()?.map(|x| x as i32);
                        }
                        GeneratedField::Entries => {
                            if entries__.is_some() {
                                return Err(serde::de::Error::duplicate_field("entries"));
                            }
                            entries__ = Some(map_.next_value()?);
                        }
                    }
                }
                Ok(MarketData {
                    transact_time: transact_time__,
                    event_time_delta: event_time_delta__,
                    match_event_indicator: match_event_indicator__,
                    entries: entries__.unwrap_or_default(),
                })
            }
        }
        deserializer.deserialize_struct("benchmarks.robobuffers.MarketData", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for market_data::Decimal {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.mantissa.is_some() {
            len += 1;
        }
        if self.exponent.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("benchmarks.robobuffers.MarketData.Decimal", len)?;
        if let Some(v) = self.mantissa.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("mantissa", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.exponent.as_ref() {
            struct_ser.serialize_field("exponent", v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for market_data::Decimal {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "mantissa",
            "exponent",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            Mantissa,
            Exponent,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "mantissa" => Ok(GeneratedField::Mantissa),
                            "exponent" => Ok(GeneratedField::Exponent),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = market_data::Decimal;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct benchmarks.robobuffers.MarketData.Decimal")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<market_data::Decimal, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut mantissa__ = None;
                let mut exponent__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::Mantissa => {
                            if mantissa__.is_some() {
                                return Err(serde::de::Error::duplicate_field("mantissa"));
                            }
                            mantissa__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Exponent => {
                            if exponent__.is_some() {
                                return Err(serde::de::Error::duplicate_field("exponent"));
                            }
                            exponent__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                    }
                }
                Ok(market_data::Decimal {
                    mantissa: mantissa__,
                    exponent: exponent__,
                })
            }
        }
        deserializer.deserialize_struct("benchmarks.robobuffers.MarketData.Decimal", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for market_data::Entry {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        use serde::ser::SerializeStruct;
        let mut len = 0;
        if self.trade_id.is_some() {
            len += 1;
        }
        if self.security_id.is_some() {
            len += 1;
        }
        if self.price.is_some() {
            len += 1;
        }
        if self.size.is_some() {
            len += 1;
        }
        if self.number_of_orders.is_some() {
            len += 1;
        }
        if self.update_action.is_some() {
            len += 1;
        }
        if self.rep_seq.is_some() {
            len += 1;
        }
        if self.aggressor_side.is_some() {
            len += 1;
        }
        if self.entry_type.is_some() {
            len += 1;
        }
        let mut struct_ser = serializer.serialize_struct("benchmarks.robobuffers.MarketData.Entry", len)?;
        if let Some(v) = self.trade_id.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("tradeId", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.security_id.as_ref() {
            #[allow(clippy::needless_borrow)]
            #[allow(clippy::needless_borrows_for_generic_args)]
            struct_ser.serialize_field("securityId", ToString::to_string(&v).as_str())?;
        }
        if let Some(v) = self.price.as_ref() {
            struct_ser.serialize_field("price", v)?;
        }
        if let Some(v) = self.size.as_ref() {
            struct_ser.serialize_field("size", v)?;
        }
        if let Some(v) = self.number_of_orders.as_ref() {
            struct_ser.serialize_field("numberOfOrders", v)?;
        }
        if let Some(v) = self.update_action.as_ref() {
            let v = market_data::UpdateAction::try_from(*v)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", *v)))?;
            struct_ser.serialize_field("updateAction", &v)?;
        }
        if let Some(v) = self.rep_seq.as_ref() {
            struct_ser.serialize_field("repSeq", v)?;
        }
        if let Some(v) = self.aggressor_side.as_ref() {
            let v = market_data::Side::try_from(*v)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", *v)))?;
            struct_ser.serialize_field("aggressorSide", &v)?;
        }
        if let Some(v) = self.entry_type.as_ref() {
            let v = market_data::EntryType::try_from(*v)
                .map_err(|_| serde::ser::Error::custom(format!("Invalid variant {}", *v)))?;
            struct_ser.serialize_field("entryType", &v)?;
        }
        struct_ser.end()
    }
}
impl<'de> serde::Deserialize<'de> for market_data::Entry {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "trade_id",
            "tradeId",
            "security_id",
            "securityId",
            "price",
            "size",
            "number_of_orders",
            "numberOfOrders",
            "update_action",
            "updateAction",
            "rep_seq",
            "repSeq",
            "aggressor_side",
            "aggressorSide",
            "entry_type",
            "entryType",
        ];

        #[allow(clippy::enum_variant_names)]
        enum GeneratedField {
            TradeId,
            SecurityId,
            Price,
            Size,
            NumberOfOrders,
            UpdateAction,
            RepSeq,
            AggressorSide,
            EntryType,
        }
        impl<'de> serde::Deserialize<'de> for GeneratedField {
            fn deserialize<D>(deserializer: D) -> std::result::Result<GeneratedField, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                struct GeneratedVisitor;

                impl serde::de::Visitor<'_> for GeneratedVisitor {
                    type Value = GeneratedField;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        write!(formatter, "expected one of: {:?}", &FIELDS)
                    }

                    #[allow(unused_variables)]
                    fn visit_str<E>(self, value: &str) -> std::result::Result<GeneratedField, E>
                    where
                        E: serde::de::Error,
                    {
                        match value {
                            "tradeId" | "trade_id" => Ok(GeneratedField::TradeId),
                            "securityId" | "security_id" => Ok(GeneratedField::SecurityId),
                            "price" => Ok(GeneratedField::Price),
                            "size" => Ok(GeneratedField::Size),
                            "numberOfOrders" | "number_of_orders" => Ok(GeneratedField::NumberOfOrders),
                            "updateAction" | "update_action" => Ok(GeneratedField::UpdateAction),
                            "repSeq" | "rep_seq" => Ok(GeneratedField::RepSeq),
                            "aggressorSide" | "aggressor_side" => Ok(GeneratedField::AggressorSide),
                            "entryType" | "entry_type" => Ok(GeneratedField::EntryType),
                            _ => Err(serde::de::Error::unknown_field(value, FIELDS)),
                        }
                    }
                }
                deserializer.deserialize_identifier(GeneratedVisitor)
            }
        }
        struct GeneratedVisitor;
        impl<'de> serde::de::Visitor<'de> for GeneratedVisitor {
            type Value = market_data::Entry;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("struct benchmarks.robobuffers.MarketData.Entry")
            }

            fn visit_map<V>(self, mut map_: V) -> std::result::Result<market_data::Entry, V::Error>
                where
                    V: serde::de::MapAccess<'de>,
            {
                let mut trade_id__ = None;
                let mut security_id__ = None;
                let mut price__ = None;
                let mut size__ = None;
                let mut number_of_orders__ = None;
                let mut update_action__ = None;
                let mut rep_seq__ = None;
                let mut aggressor_side__ = None;
                let mut entry_type__ = None;
                while let Some(k) = map_.next_key()? {
                    match k {
                        GeneratedField::TradeId => {
                            if trade_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("tradeId"));
                            }
                            trade_id__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::SecurityId => {
                            if security_id__.is_some() {
                                return Err(serde::de::Error::duplicate_field("securityId"));
                            }
                            security_id__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::Price => {
                            if price__.is_some() {
                                return Err(serde::de::Error::duplicate_field("price"));
                            }
                            price__ = map_.next_value()?;
                        }
                        GeneratedField::Size => {
                            if size__.is_some() {
                                return Err(serde::de::Error::duplicate_field("size"));
                            }
                            size__ = map_.next_value()?;
                        }
                        GeneratedField::NumberOfOrders => {
                            if number_of_orders__.is_some() {
                                return Err(serde::de::Error::duplicate_field("numberOfOrders"));
                            }
                            number_of_orders__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::UpdateAction => {
                            if update_action__.is_some() {
                                return Err(serde::de::Error::duplicate_field("updateAction"));
                            }
                            update_action__ = map_.next_value::<::std::option::Option<market_data::UpdateAction>>()?.map(|x| x as i32);
                        }
                        GeneratedField::RepSeq => {
                            if rep_seq__.is_some() {
                                return Err(serde::de::Error::duplicate_field("repSeq"));
                            }
                            rep_seq__ = 
                                map_.next_value::<::std::option::Option<::pbjson::private::NumberDeserialize<_>>>()?.map(|x| x.0)
                            ;
                        }
                        GeneratedField::AggressorSide => {
                            if aggressor_side__.is_some() {
                                return Err(serde::de::Error::duplicate_field("aggressorSide"));
                            }
                            aggressor_side__ = map_.next_value::<::std::option::Option<market_data::Side>>()?.map(|x| x as i32);
                        }
                        GeneratedField::EntryType => {
                            if entry_type__.is_some() {
                                return Err(serde::de::Error::duplicate_field("entryType"));
                            }
                            entry_type__ = map_.next_value::<::std::option::Option<market_data::EntryType>>()?.map(|x| x as i32);
                        }
                    }
                }
                Ok(market_data::Entry {
                    trade_id: trade_id__,
                    security_id: security_id__,
                    price: price__,
                    size: size__,
                    number_of_orders: number_of_orders__,
                    update_action: update_action__,
                    rep_seq: rep_seq__,
                    aggressor_side: aggressor_side__,
                    entry_type: entry_type__,
                })
            }
        }
        deserializer.deserialize_struct("benchmarks.robobuffers.MarketData.Entry", FIELDS, GeneratedVisitor)
    }
}
impl serde::Serialize for market_data::EntryType {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::Bid => "BID",
            Self::Offer => "OFFER",
            Self::Trade => "TRADE",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for market_data::EntryType {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "BID",
            "OFFER",
            "TRADE",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = market_data::EntryType;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "BID" => Ok(market_data::EntryType::Bid),
                    "OFFER" => Ok(market_data::EntryType::Offer),
                    "TRADE" => Ok(market_data::EntryType::Trade),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for market_data::MatchEventIndicator {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::MidEvent => "MID_EVENT",
            Self::BeginningEvent => "BEGINNING_EVENT",
            Self::EndEvent => "END_EVENT",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for market_data::MatchEventIndicator {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "MID_EVENT",
            "BEGINNING_EVENT",
            "END_EVENT",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = market_data::MatchEventIndicator;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "MID_EVENT" => Ok(market_data::MatchEventIndicator::MidEvent),
                    "BEGINNING_EVENT" => Ok(market_data::MatchEventIndicator::BeginningEvent),
                    "END_EVENT" => Ok(market_data::MatchEventIndicator::EndEvent),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for market_data::Side {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::Buy => "BUY",
            Self::Sell => "SELL",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for market_data::Side {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "BUY",
            "SELL",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = market_data::Side;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "BUY" => Ok(market_data::Side::Buy),
                    "SELL" => Ok(market_data::Side::Sell),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
impl serde::Serialize for market_data::UpdateAction {
    #[allow(deprecated)]
    fn serialize<S>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>
    where
        S: serde::Serializer,
    {
        let variant = match self {
            Self::New => "NEW",
            Self::Change => "CHANGE",
            Self::Delete => "DELETE",
        };
        serializer.serialize_str(variant)
    }
}
impl<'de> serde::Deserialize<'de> for market_data::UpdateAction {
    #[allow(deprecated)]
    fn deserialize<D>(deserializer: D) -> std::result::Result<Self, D::Error>
    where
        D: serde::Deserializer<'de>,
    {
        const FIELDS: &[&str] = &[
            "NEW",
            "CHANGE",
            "DELETE",
        ];

        struct GeneratedVisitor;

        impl serde::de::Visitor<'_> for GeneratedVisitor {
            type Value = market_data::UpdateAction;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "expected one of: {:?}", &FIELDS)
            }

            fn visit_i64<E>(self, v: i64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Signed(v), &self)
                    })
            }

            fn visit_u64<E>(self, v: u64) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                i32::try_from(v)
                    .ok()
                    .and_then(|x| x.try_into().ok())
                    .ok_or_else(|| {
                        serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(v), &self)
                    })
            }

            fn visit_str<E>(self, value: &str) -> std::result::Result<Self::Value, E>
            where
                E: serde::de::Error,
            {
                match value {
                    "NEW" => Ok(market_data::UpdateAction::New),
                    "CHANGE" => Ok(market_data::UpdateAction::Change),
                    "DELETE" => Ok(market_data::UpdateAction::Delete),
                    _ => Err(serde::de::Error::unknown_variant(value, FIELDS)),
                }
            }
        }
        deserializer.deserialize_any(GeneratedVisitor)
    }
}
