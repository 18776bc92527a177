//! The door of the Hextris solvers.

fn main() -> std::process::ExitCode {
    arbitre::bots::main("hextris")
}
