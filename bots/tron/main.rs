//! The door of the Tron bots.

fn main() -> std::process::ExitCode {
    arbitre::bots::main(&arbitre::bots::tron::BOT)
}
