import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Scanner;

/**
 * A bot for CodinGame's Oware Abapa that plays legal moves. Put your own code into choose.
 * The same file plays in the arena and here.
 */
class Player {
    static Random random = new Random();

    /** Returns the pits that may be sown: an opponent without seeds must get some. */
    static List<Integer> legalMoves(int[] pits) {
        int theirs = 0;
        for (int pit = 6; pit < 12; pit++) theirs += pits[pit];
        List<Integer> legal = new ArrayList<>();
        for (int pit = 0; pit < 6; pit++)
            if (pits[pit] > (theirs == 0 ? 5 - pit : 0)) legal.add(pit);
        return legal;
    }

    /**
     * Returns your move: a pit from 0 to 5, within 50 ms (1 s for the first one). pits holds the
     * seeds of your six pits, then of the opponent's six, in sowing order.
     */
    static int choose(int[] pits) {
        List<Integer> legal = legalMoves(pits);
        return legal.get(random.nextInt(legal.size()));
    }

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        int[] pits = new int[12];
        while (in.hasNextInt()) { // the arena ends the program after the game
            for (int pit = 0; pit < 12; pit++) pits[pit] = in.nextInt();
            // Notes go to standard error: System.err.println.
            System.out.println(choose(pits));
            System.out.flush();
        }
    }
}
