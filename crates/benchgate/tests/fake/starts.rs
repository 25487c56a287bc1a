fn start(program: &str, arguments: &[&str]) -> std::process::Output {
    std::process::Command::new(program).args(arguments).output().expect("a program that starts")
}
