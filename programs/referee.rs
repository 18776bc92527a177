//! Entry point of the referee.

fn main() -> std::process::ExitCode {
    arbitre::referee::main(&arbitre::registry(), arbitre::server())
}
