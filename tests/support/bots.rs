//! Bots that play their first legal move, in several languages.

/// Bot in Python, which uses modules that need files and processes.
pub const PYTHON: &str = "import os, random, sys, tempfile, threading, multiprocessing\n\
     tempfile.TemporaryFile().write(b'x')\nlegal = []\n\
     for line in sys.stdin:\n    word, *rest = line.split()\n    \
     if word == 'legal': legal = rest\n    \
     if word in ('begin', 'go'): print('ready p' if word == 'begin' else legal[0], flush=True)\n";

/// Bot in JavaScript.
pub const JAVASCRIPT: &str = "let legal = [];\nconst readline = require('readline');\n\
     readline.createInterface({ input: process.stdin }).on('line', (line) => {\n\
     const [word, ...rest] = line.split(' ');\n\
     if (word === 'legal') legal = rest;\n\
     if (word === 'begin') console.log('ready node');\n\
     if (word === 'go') console.log(legal[0]);\n});\n";

/// Bot in Java, a class `Bot`. The runtime looks for its control groups, and ends if their paths
/// lead nowhere. A channel has it load its library for the network.
pub const JAVA: &str = "import java.util.*;\nimport java.lang.management.ManagementFactory;\n\
     public class Bot { public static void main(String[] a) throws Exception {\n\
     new java.io.RandomAccessFile(\"/dev/null\", \"r\").getChannel().close();\n\
     ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();\n\
     Scanner in = new Scanner(System.in); String legal = \"\";\n\
     while (in.hasNextLine()) { String[] w = in.nextLine().split(\" \");\n\
     if (w[0].equals(\"legal\")) legal = w[1];\n\
     if (w[0].equals(\"begin\")) System.out.println(\"ready java\");\n\
     if (w[0].equals(\"go\")) System.out.println(legal); } } }\n";

/// Bot in OCaml.
pub const OCAML: &str = "let legal = ref \"\" in\ntry while true do\n\
     (match String.split_on_char ' ' (input_line stdin) with\n\
     | \"legal\" :: first :: _ -> legal := first\n\
     | \"begin\" :: _ -> print_endline \"ready ocaml\"\n\
     | \"go\" :: _ -> print_endline !legal\n| _ -> ()) done with End_of_file -> ()\n";

/// Bot in Go.
pub const GO: &str =
    "package main\nimport (\"bufio\"; \"fmt\"; \"os\"; \"strings\")\nfunc main() {\n\
     in := bufio.NewScanner(os.Stdin)\nlegal := \"\"\nfor in.Scan() {\n\
     w := strings.Split(in.Text(), \" \")\nif w[0] == \"legal\" { legal = w[1] }\n\
     if w[0] == \"begin\" { fmt.Println(\"ready go\") }\n\
     if w[0] == \"go\" { fmt.Println(legal) }\n}\n}\n";

/// Bot in Rust.
pub const RUST: &str = "fn main() { let mut legal = String::new();\n\
     for line in std::io::stdin().lines().map_while(Result::ok) {\n\
     let (word, rest) = line.split_once(' ').unwrap_or((&line, \"\"));\n\
     match word { \"legal\" => legal = rest.split(' ').next().unwrap().into(),\n\
     \"begin\" => println!(\"ready rust\"), \"go\" => println!(\"{legal}\"), _ => {} } } }\n";

/// Bot in C.
pub const C: &str = r#"#include <stdio.h>
#include <string.h>
int main(void) {
    char line[4096], first[16] = "";
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "legal %15s", first) == 1) continue;
        if (!strncmp(line, "begin", 5)) puts("ready c");
        if (!strncmp(line, "go", 2)) puts(first);
        fflush(stdout);
    }
}
"#;

/// Bot in C++.
pub const CPP: &str = r#"#include <iostream>
#include <sstream>
#include <string>
int main() {
    std::string line, legal;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "legal") words >> legal;
        if (word == "begin") std::cout << "ready cpp" << std::endl;
        if (word == "go") std::cout << legal << std::endl;
    }
}
"#;

/// Bot in C#.
pub const C_SHARP: &str = r#"using System;
class Player {
    static void Main() {
        string line, legal = "";
        while ((line = Console.ReadLine()) != null) {
            var words = line.Split(' ');
            if (words[0] == "legal") legal = words[1];
            if (words[0] == "begin") Console.WriteLine("ready c-sharp");
            if (words[0] == "go") Console.WriteLine(legal);
        }
    }
}
"#;

/// Bot in Ruby.
pub const RUBY: &str = "$stdout.sync = true\nlegal = nil\nwhile line = gets\n\
     word, first = line.split\nlegal = first if word == 'legal'\n\
     puts 'ready ruby' if word == 'begin'\nputs legal if word == 'go'\nend\n";

/// Bot in TypeScript.
pub const TYPESCRIPT: &str = r#"import * as readline from 'readline';
interface Message { word: string; rest: string[] }
const parse = (line: string): Message => {
    const [word, ...rest] = line.split(' ');
    return { word, rest };
};
let legal: string[] = [];
readline.createInterface({ input: process.stdin }).on('line', (line: string) => {
    const { word, rest } = parse(line);
    if (word === 'legal') legal = rest;
    if (word === 'begin') console.log('ready typescript');
    if (word === 'go') console.log(legal[0]);
});
"#;

/// Bot in JavaScript or TypeScript for the Tron of CodinGame, with the functions of that arena.
pub const CODINGAME_TRON: &str = r#"while (true) {
    const inputs = readline().split(' ');
    const count = parseInt(inputs[0]);
    for (let i = 0; i < count; i++) {
        const cells = readline().split(' ');
        printErr('cells', ...cells);
    }
    print('LEFT');
}
"#;
