//! The door of the Hextris solvers.

fn main() -> std::process::ExitCode {
    arbitre::bots::main(&arbitre::bots::hextris::BOT)
}
