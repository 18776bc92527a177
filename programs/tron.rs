//! Entry point of the program `tron`.

fn main() -> std::process::ExitCode {
    arbitre::bots::main(&arbitre::bots::tron::BOT)
}
