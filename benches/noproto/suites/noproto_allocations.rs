//! Counts the allocations of the work of the suite `noproto`, under the same ids.
//!
//! `cargo test --release -p noproto-benches --bench noproto_allocations` prints a table;
//! [`allocation_counts`] says how it counts and what else it prints.

use std::hint::black_box;

use allocation_counts::{Counted, Counter};
use noproto_benches::libraries::{self, ForEach, Library};
use noproto_benches::model::{Container, NEW_NAME};
use noproto_benches::timing::Use;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

struct Count<'c>(&'c mut Counter);

impl ForEach for Count<'_> {
    fn library<L: Library>(&mut self) {
        let (message, mut library) = (Container::published(), L::default());
        let bytes = library.encode(&message, <[u8]>::to_vec);
        let id = |operation| format!("noproto/{operation}/{}", L::NAME);
        let pass = |bytes: &[u8]| {
            black_box(bytes);
        };
        self.0.count(id("encode"), || library.encode(&message, pass));
        self.0.count(id("decode"), || library.decode(&bytes, &mut Use));
        self.0.count(id("decode_one"), || {
            library.decode_one(&bytes, |location| {
                black_box(location);
            });
        });
        self.0.count(id("update"), || library.update(&bytes, NEW_NAME, pass));
    }
}

fn main() {
    allocation_counts::run(count, print_table);
}

fn count(counter: &mut Counter) {
    libraries::for_each(&mut Count(counter));
    libraries::for_each_variant(&mut Count(counter));
}

fn print_table(counted: &[Counted]) {
    println!("{}", allocation_counts::table_head());
    for row in counted {
        println!("{}", allocation_counts::table_line(&row.id, row));
    }
}
