use crate::Data;

pub fn run(data: &Data) -> u64 {
    data.numbers.iter().filter(|number| find(&data.sorted, **number)).count() as u64
}

fn find(sorted: &[u64], wanted: u64) -> bool {
    sorted.contains(&wanted)
}
