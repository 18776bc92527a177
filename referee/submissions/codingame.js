// The functions of CodinGame for bots in JavaScript: readline(), print() and printErr(). A bot that
// defines these names itself, or requires a module under one of them, keeps its own.
'use strict';

const { readSync } = require('fs');

// Number of bytes of one read. A pipe holds 64 KiB by default.
const CHUNK = 64 * 1024;
const NEWLINE = 10;

const chunk = Buffer.alloc(CHUNK);
const sleeper = new Int32Array(new SharedArrayBuffer(4));
let waiting = Buffer.alloc(0);

// Reads more of the input. Returns false at its end.
function read() {
    for (;;) {
        try {
            const count = readSync(0, chunk);
            waiting = Buffer.concat([waiting, chunk.subarray(0, count)]);
            return count > 0;
        } catch (error) {
            // A bot that has used process.stdin does not wait for its input.
            if (error.code !== 'EAGAIN') throw error;
            Atomics.wait(sleeper, 0, 0, 1);
        }
    }
}

// Returns the next line of the input. At its end the program ends, as the arena ends it.
globalThis.readline = () => {
    let end;
    while ((end = waiting.indexOf(NEWLINE)) < 0) {
        if (read()) continue;
        if (waiting.length === 0) process.exit();
        end = waiting.length;
        break;
    }
    const line = waiting.toString('utf8', 0, end);
    waiting = waiting.subarray(end + 1);
    return line.replace(/\r$/, '');
};

globalThis.print = (...values) => {
    process.stdout.write(values.join(' ') + '\n');
};

globalThis.printErr = (...values) => {
    process.stderr.write(values.join(' ') + '\n');
};
