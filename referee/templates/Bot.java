import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Random;

/**
 * A bot for {title} that plays random legal moves. Put your own code into choose.
 *
 * Each line from the referee is one message, and its first word names the kind of message.
 * Ignore messages that you do not recognise.
 */
public class Bot {
    static Random random = new Random();

    /**
     * Returns your move: one of legal. seat is your own seat, counted from 0: seat 0 moves first.
     * state is the position, a list of words:
     * {state}
     * milliseconds is the time that you have, or -1 if there is no limit. To measure it:
     * ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(), in nanoseconds, with a
     * reserve for the compiler and the garbage collector; under --clock wall, System.nanoTime().
     */
    static String choose(int seat, List<String> state, List<String> legal, long milliseconds) {
        return legal.get(random.nextInt(legal.size()));
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush(); // output left in a buffer never reaches the referee
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int seat = 0;
        List<String> state = List.of(), legal = List.of();
        for (String line; (line = in.readLine()) != null; ) { // until the end of input
            List<String> words = List.of(line.trim().split("\\s+"));
            List<String> rest = words.subList(1, words.size());
            switch (words.get(0)) {
                case "game": state = List.of(); legal = List.of(); break; // forget the last game
                case "seats": seat = Integer.parseInt(rest.get(2)); break; // as in `seats 2 you 0`
                case "seed": random = new Random(rest.get(0).hashCode()); break; // same seed, same game
                // Prepare here, then say the bot's name, one word; with "again" behind it the bot
                // can play another game afterwards.
                case "begin": say("ready {name} again"); break;
                case "state": state = rest; break;
                case "legal": legal = rest; break;
                case "go":
                    long milliseconds = rest.isEmpty() ? -1 : Long.parseLong(rest.get(0));
                    say(choose(seat, state, legal, milliseconds));
                    break;
                // Notes go to standard error: on standard output they would be answers.
                case "result": System.err.println("result " + rest); break;
                default: break;
            }
        }
    }
}
