(* A bot for {title}, which plays any legal move. Put your own thinking into [choose].

   How the referee speaks: one line is one message, and its first word says which.
   Lines whose word you do not know are to be passed over. *)

(* Your move: one of [legal]. [state] is the position, a list of words:
   {state}
   [milliseconds] is the time that you have, or -1 where there is no limit. *)
let choose _state legal _milliseconds =
  List.nth legal (Random.int (List.length legal))

(* [print_endline] flushes; after [print_string] or [Printf.printf] say [flush stdout], or the
   answer may wait in a buffer, and the referee waits too. *)
let say = print_endline

let words line =
  List.filter (fun word -> word <> "") (String.split_on_char ' ' (String.trim line))

(* Until the input ends, and then the bot ends. *)
let rec listen state legal =
  match read_line () with
  | exception End_of_file -> ()
  | line -> (
      match words line with
      | "game" :: _ -> listen [] [] (* a new game: forget the last one *)
      | [ "seed"; seed ] ->
          Random.init (Hashtbl.hash seed); (* the same seed, the same game *)
          listen state legal
      | "begin" :: _ ->
          (* Prepare here, then say the bot's name, one word; with [again] behind it the bot can
             play another game afterwards. *)
          say "ready {name} again";
          listen state legal
      | "state" :: state -> listen state legal
      | "legal" :: legal -> listen state legal
      | "go" :: time ->
          let milliseconds = match time with [] -> -1 | first :: _ -> int_of_string first in
          say (choose state legal milliseconds);
          listen state legal
      | "result" :: scores ->
          (* Notes go to standard error: on standard output they would be answers. *)
          prerr_endline ("result " ^ String.concat " " scores);
          listen state legal
      | _ -> listen state legal)

let () = listen [] []
