//! A bench target with rustc's own harness.

#[test]
fn mixing_depends_on_the_state() {
    assert_ne!(fixture::mix(1, 1), fixture::mix(2, 1));
}
