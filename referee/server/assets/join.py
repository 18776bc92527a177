#!/usr/bin/env python3
"""Joins the class server with a bot that runs on this computer.

    python3 join.py "python3 my_bot.py"            on Windows: py join.py "py my_bot.py"
--tables N plays up to N games at once (1 to 64), --once BOT plays one round against BOT and ends,
--watch prints each line to and from the bot. Save the bot at any time: the next game uses it.
Ctrl-C ends it. Exit codes: 0 after a good --once, 1 if the server ends it, 2 for wrong arguments.
"""
import argparse, base64, codecs, hashlib, http.client, json, os, pathlib, queue, re, select, shlex
import shutil, socket, ssl, struct, subprocess, sys, threading, time, types, urllib.parse
from contextlib import suppress

URL = "@URL@"
TOKEN = "@TOKEN@"
HELP = 'check spelling and quotes; an example: python3 join.py --tables 2 "python3 my_bot.py"'
LINES, BYTES, ERRORS = 1000, 8 << 20, 64 << 10  # of output, standard error until the next input
MESSAGE, SILENCE = 16 << 20, 30  # bytes in the longest message; seconds until silence is a loss
ENV = {"PYTHONIOENCODING": "utf-8", **os.environ, "PYTHONUNBUFFERED": "1"}  # of the programs
lock, files = threading.RLock(), threading.Lock()  # for `net` and tables; for the bot's files
tables, said = {}, queue.SimpleQueue()  # the tables by number; texts to print
net = types.SimpleNamespace(sock=socket.socket(), live=False, wait=1, code=None, stamp=None,
                            digest="0" * 64, told=None)  # live: a welcome came; told: a digest

class Table:  # a game: its program, a thread for each of its pipes, and the bytes that passed
    process = code = ended = over = None; received = printed = lines = asked = 0
    def __init__(self, number, session):
        self.number, self.session, self.kept = number, session, bytearray()
        self.input, self.room = queue.SimpleQueue(), ERRORS
        threading.Thread(target=self.run, daemon=True).start()
    def run(self):  # starts the program and writes to it; no other thread waits until it reads
        with files:  # a program uses announced files only, and none starts during the exit
            if self.over or net.code is not None or look(): return
            try: self.process = subprocess.Popen(command, env=ENV, stdin=-1, stdout=-1, stderr=-1,
                                                 start_new_session=True)  # ignored on Windows
            except (OSError, ValueError) as error:  # -1 above: a pipe
                say(f"the program does not start: {error}")
                return self.send({"type": "failed", "why": str(error)})
        self.send({"type": "started"})
        self.reader = threading.Thread(target=self.read_errors, daemon=True)
        self.reader.start(), threading.Thread(target=self.read_lines, daemon=True).start()
        if self.over: self.kill()  # the server ended the table meanwhile
        with suppress(OSError), self.process.stdin as pipe:  # the program may have gone
            for data in iter(self.input.get, None): pipe.write(data), pipe.flush()
    def send(self, data):  # bytes or a dictionary; lines that are not sent now are in `kept`
        if isinstance(data, dict): data.update(table=self.number, session=self.session)
        with lock: return frame(data) if data and net.live and not self.over else None
    def read_errors(self):
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        for data in iter(lambda: self.process.stderr.read1(600), b""):  # below 4 KiB in JSON
            with lock:  # a line that was printed later waits for this
                text, self.room = decoder.decode(data).replace("\r", ""), self.room - len(data)
                if self.room >= 0: self.send({"type": "stderr", "text": text})
            if said.qsize() < 1000: say(text, "")
    def read_lines(self):
        for line in iter(lambda: self.process.stdout.readline(BYTES + 1), b""):
            line = line.replace(b"\r\n", b"\n")
            if options.watch: say(f"{self.number} <- {line.decode('utf-8', 'replace').rstrip()}")
            time.sleep(0 if windows else 0.0002)  # lets `read_errors` take the lock first
            with lock:  # what is kept and what is sent agree whenever a welcome comes
                self.lines += 1; self.printed += len(line); self.kept += line
                flood = self.lines > LINES or self.printed - self.asked > BYTES
                if flood: say("the program prints without end: stopped"); self.kill(); break
                del self.kept[:-BYTES]; self.send(bytes([self.number]) + line)
        else:  # the end of its output; without an exit code it runs on
            with suppress(subprocess.TimeoutExpired): self.code = self.process.wait(1)
        self.reader.join(1)  # for the rest of its standard error
        with lock:
            self.ended = {"type": "ended", "code": self.code}; self.send(self.ended)
            if not self.over: say(f"table {self.number}: the program ended, code {self.code}")
    def feed(self, line):  # a line from the server
        for of in line.decode().splitlines() * options.watch: say(f"{self.number} -> {of}")
        with lock:
            self.received += len(line); self.lines, self.asked, self.room = 0, self.printed, ERRORS
        self.input.put(line)
    def end(self, seconds=0):  # the table now, its program after some seconds
        self.over = True; self.input.put(None); threading.Timer(seconds, self.kill).start()
    def kill(self):
        with suppress(Exception): self.process.kill(); windows or os.killpg(self.process.pid, 9)

def say(text, end="\n"):  # for the main thread to print; escapes what acts on a terminal
    said.put("".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text + end))
def look():  # hashes the bot's files if one has changed; True: the server was told so
    with suppress(OSError):  # a file is being written: the next look will see it
        named = {pathlib.Path(word) for word in words if os.path.isfile(word)}
        kin = {p for n in named if n.suffix for p in n.parent.glob("*" + n.suffix) if p.is_file()}
        used = sorted(p for p in named | kin if p.name != "join.py" and os.access(p, os.R_OK))[:999]
        stamp = [(p, p.stat().st_mtime_ns, p.stat().st_size) for p in used]
        if stamp != net.stamp:
            sums = [f"{p.name} {hashlib.sha256(p.read_bytes()).hexdigest()}\n" for p in used]
            net.stamp, net.digest = stamp, hashlib.sha256(os.fsencode("".join(sums))).hexdigest()
    with lock:
        if not net.live or net.digest == net.told: return False
        net.told = net.digest; frame({"type": "digest", "digest": net.digest})
        return not say("the files of the bot have changed")
def frame(data, code=2):  # sends bytes or a dictionary; the welcome makes up for what gets lost
    if isinstance(data, dict): code, data = 1, json.dumps(data).encode()
    size, key = len(data), os.urandom(4)
    mask = int.from_bytes((key * (size // 4 + 1))[:size], "big")
    body = (int.from_bytes(data, "big") ^ mask).to_bytes(size, "big")
    mark, form = (size, "!BB") if size < 126 else (126, "!BBH") if size < 65536 else (127, "!BBQ")
    head = struct.pack(form, 128 | code, 128 | mark, *[size][:mark > 125])
    with lock:
        try: net.sock.sendall(head + key + body)
        except OSError: lose()
def lose():  # the reading thread will notice
    net.live = False
    with suppress(OSError): net.sock.shutdown(socket.SHUT_RDWR)
class Socket(ssl.SSLSocket):  # OpenSSL bears one thread at a time: wait without the lock
    def recv_into(self, *arguments):
        ready = self.pending() or select.select([self], [], [], SILENCE)[0]
        with lock: return super().recv_into(*arguments) if ready else 0
def connect():  # opens the WebSocket (RFC 6455) and says hello; returns the reply to read from
    url, key = urllib.parse.urlsplit(URL), base64.b64encode(os.urandom(16)).decode()
    context = ssl.create_default_context(); context.sslsocket_class = Socket
    link = (http.client.HTTPConnection(url.netloc, timeout=10) if url.scheme == "ws" else
            http.client.HTTPSConnection(url.netloc, timeout=10, context=context))
    link.request("GET", url.path, headers={"Connection": "Upgrade", "Upgrade": "websocket",
      "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key, "Authorization": "Bearer " + TOKEN})
    reply = link.getresponse()
    proof = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
    if reply.headers["Sec-WebSocket-Accept"] != base64.b64encode(proof).decode():
        if reply.status == 401: net.code = 1
        net.wait = max(net.wait, int(reply.headers["Retry-After"] or 0))
        raise ConnectionError(f"{reply.status} {reply.read(999).decode('utf8', 'replace').strip()}")
    link.sock.settimeout(SILENCE)
    with files: look()
    net.sock, net.told = link.sock, net.digest
    frame({"type": "hello", "version": 1, "client": "join.py", "digest": net.digest,
           "program": program, "tables": options.tables, "once": options.once,
           "open": [[t.number, t.session, t.received] for t in tables.values() if t.process]})
    return reply
def listen(reply):  # reads frames (RFC 6455) and answers them until the connection ends
    kind, whole, read = 2, b"", reply.fp.read
    while True:
        first, size = read(2) or b"\x88\0"  # the end of the stream counts as a close frame
        if size > 125: size = int.from_bytes(read(2 if size == 126 else 8), "big")
        data, code = read(size) if size <= MESSAGE else b"", first & 15
        if len(data) < size or len(whole) > MESSAGE: raise ConnectionError("a broken message")
        if code == 8: raise ConnectionError(data[2:].decode("utf-8", "replace") or "closed")
        if code == 9: frame(data, 10)
        if code < 3: kind, whole = (code, data) if code else (kind, whole + data)
        if code > 2 or first < 128: continue  # else the message is whole
        if kind == 1: obey(json.loads(whole))
        elif whole[0] in tables: tables[whole[0]].feed(whole[1:])
def obey(message):
    kind, number, text = message["type"], message.get("table"), message.get("text", "")
    if kind == "welcome":
        listed = {number: more for number, *more in message["open"]}
        with lock:
            net.live, net.wait = True, 1
            for number, table in list(tables.items()):
                session, received = listed.get(number, (None, 0))
                lost = table.printed - received
                if session != table.session or lost > len(table.kept): tables.pop(number).end()
                elif lost > 0: table.send(bytes([number]) + table.kept[-lost:])
                table.send(table.ended)
        say(f"joined as {message['name']}, room {message['room']}: {message['page']}")
    elif kind in ("start", "end"):
        if number in tables: tables.pop(number).end(0 if kind == "start" or message["now"] else 1)
        if kind == "start": tables[number] = Table(number, message["session"])
    elif kind == "note": say(text)
    elif kind == "bye":
        if not message["again"]: net.code = 0 if options.once and message.get("ok") else 1
        raise ConnectionError(text)
def run():  # connects again and again
    while True:
        try: listen(connect())
        except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException) as error:
            with lock: frame(b"\x03\xe8", 8), lose()
            if net.code is not None: return say(str(error))
            say(f"connection lost ({error}), trying again in {net.wait} s")
        time.sleep(net.wait); net.wait = min(2 * net.wait, 30)

parser = argparse.ArgumentParser(usage=__doc__)
parser.error = lambda text: parser.exit(2, f"error: {text}\nhelp: {HELP}\n")
parser.add_argument("command", nargs="*")
parser.add_argument("--tables", type=int, choices=range(1, 65), default=1, metavar="N")
parser.add_argument("--once", metavar="BOT")
parser.add_argument("--watch", action="store_true")
options, windows = parser.parse_args(), os.name == "nt"
text = " ".join(options.command)
if len(options.command) != 1: parser.error(f"expected one command in quotes, got {text or 'none'}")
try: words = re.findall(r'(?:"[^"]*"|[^\s"])+', text) if windows else shlex.split(text)
except ValueError as error: parser.error(f"expected a command, got {text} ({error})")
command = text if windows else words  # Windows splits it itself
words = [word.replace('"', "") if windows else word for word in words] or [""]
if not shutil.which(words[0]) or windows and words[0].lower().endswith(".py"):
    parser.error(f"expected a program, got {words[0]!r}")
program = os.path.basename(next(filter(os.path.isfile, words[1:]), words[0]))  # to show
sys.stdout.reconfigure(errors="replace")
worker = threading.Thread(target=run, daemon=True); worker.start()
try:
    while worker.is_alive() or not said.empty():
        with suppress(queue.Empty): print(said.get(timeout=0.5), end="", flush=True)
        with files: look()
except (KeyboardInterrupt, BrokenPipeError): net.code = 130
finally:
    net.live, net.code = False, 1 if net.code is None else net.code
    with files: [table.kill() for table in list(tables.values())], frame(b"\x03\xe8", 8)
sys.exit(net.code)
