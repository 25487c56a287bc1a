//! The forms of the macros.

extern crate criterion as renamed;

use renamed::{criterion_group, criterion_main, Criterion};

fn target(c: &mut Criterion) {
    c.bench_function("target", |b| b.iter(|| 1));
}

mod inner {
    pub fn target(c: &mut renamed::Criterion) {
        c.bench_function("inner", |b| b.iter(|| 1));
    }
}

fn config() -> Criterion {
    Criterion::default()
}

criterion_group!(short, target);
criterion_group!(short_with_comma, target, inner::target,);
criterion_group!(name = in_parentheses; config = config(); targets = target, inner::target);
renamed::criterion_group! {
    name = in_braces;
    config = Criterion::default().sample_size(20);
    targets = target, inner::target,
}
criterion_group![in_brackets, target];

macro_rules! group_of {
    ($name:ident, $config:expr, $($target:path),*) => {
        criterion_group! { name = $name; config = $config; targets = $($target),* }
    };
}
group_of!(of_another_macro, config(), target, inner::target);

fn any_function() {}

fn main() {
    criterion_main!(
        short,
        short_with_comma,
        in_parentheses,
        in_braces,
        in_brackets,
        of_another_macro,
        any_function,
    );
    main();
    // The runner of custom test frameworks.
    renamed::runner(&[&short, &any_function]);
}
