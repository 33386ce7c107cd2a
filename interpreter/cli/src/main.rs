//! The program `fullcourt`.

fn main() -> std::process::ExitCode {
    fullcourt_cli::main()
}
