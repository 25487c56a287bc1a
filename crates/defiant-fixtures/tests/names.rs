//! Names that mean something in Rust, where the generated code could take one for the other.

use defiant_fixtures::names::Severity;

#[test]
fn the_values_of_an_enum_may_be_named_as_associated_types() {
    assert_eq!(Severity::try_from(2), Ok(Severity::Error));
    assert_eq!(Severity::try_from(7), Ok(Severity::Item));
    assert_eq!(Severity::try_from(12), Err(defiant::UnknownEnumValue(12)));
    assert_eq!(serde_json::to_string(&Severity::Ok).unwrap(), r#""OK""#);
}
