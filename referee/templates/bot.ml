(* A bot for {title} that plays random legal moves. Put your own code into [choose].

   Each line from the referee is one message, and its first word names the kind of message.
   Ignore messages that you do not recognise. *)

(* Returns your move: one of [legal]. [seat] is your own seat, counted from 0: seat 0 moves first.
   [state] is the position, a list of words:
   {state}
   [milliseconds] is the time that you have, or -1 if there is no limit. To measure it:
   [Sys.time ()], the CPU time in seconds; under [--clock wall], [Unix.gettimeofday ()]. *)
let choose _seat _state legal _milliseconds =
  List.nth legal (Random.int (List.length legal))

(* [print_endline] flushes; after [print_string] or [Printf.printf] call [flush stdout],
   or the answer stays in a buffer and never reaches the referee. *)
let say = print_endline

let words line =
  List.filter (fun word -> word <> "") (String.split_on_char ' ' (String.trim line))

(* Runs until the end of input, then the bot exits. *)
let rec listen seat state legal =
  match read_line () with
  | exception End_of_file -> ()
  | line -> (
      match words line with
      | "game" :: _ -> listen 0 [] [] (* a new game: forget the last one *)
      | [ "seats"; _; "you"; seat ] -> listen (int_of_string seat) state legal
      | [ "seed"; seed ] ->
          Random.init (Hashtbl.hash seed); (* the same seed, the same game *)
          listen seat state legal
      | "begin" :: _ ->
          (* Prepare here, then say the bot's name, one word; with [again] behind it the bot can
             play another game afterwards. *)
          say "ready {name} again";
          listen seat state legal
      | "state" :: state -> listen seat state legal
      | "legal" :: legal -> listen seat state legal
      | "go" :: time ->
          let milliseconds = match time with [] -> -1 | first :: _ -> int_of_string first in
          say (choose seat state legal milliseconds);
          listen seat state legal
      | "result" :: scores ->
          (* Notes go to standard error: on standard output they would be answers. *)
          prerr_endline ("result " ^ String.concat " " scores);
          listen seat state legal
      | _ -> listen seat state legal)

let () = listen 0 [] []
