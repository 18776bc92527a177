import java.util.Arrays;
import java.util.Random;
import java.util.Scanner;

/**
 * A bot for CodinGame's Tron Battle that moves to a free cell. Put your own code into choose.
 * The same file plays in the arena and here.
 */
class Player {
    static final int WIDTH = 30, HEIGHT = 20, FREE = -1;
    static final String[] WORDS = {"LEFT", "RIGHT", "UP", "DOWN"};
    static final int[] DX = {-1, 1, 0, 0}, DY = {0, 0, -1, 1};

    /** Player of each occupied cell, or FREE. */
    static int[][] owner = new int[WIDTH][HEIGHT];
    /** Head of each player; x is -1 once it is out. */
    static int[] headX = new int[4], headY = new int[4];
    static Random random = new Random();

    static boolean isFree(int x, int y) {
        return 0 <= x && x < WIDTH && 0 <= y && y < HEIGHT && owner[x][y] == FREE;
    }

    /** Returns your move: LEFT, RIGHT, UP or DOWN, within 100 ms (1 s for the first one). */
    static String choose(int me) {
        int first = random.nextInt(4);
        for (int turn = 0; turn < 4; turn++) {
            int way = (first + turn) % 4;
            if (isFree(headX[me] + DX[way], headY[me] + DY[way])) return WORDS[way];
        }
        return WORDS[0];
    }

    /** Removes the trail of a player that is out. */
    static void forget(int player) {
        for (int[] column : owner)
            for (int y = 0; y < HEIGHT; y++)
                if (column[y] == player) column[y] = FREE;
    }

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        for (int[] column : owner) Arrays.fill(column, FREE);
        while (in.hasNextInt()) { // the arena ends the program after the game
            int players = in.nextInt(), me = in.nextInt();
            for (int player = 0; player < players; player++) {
                int tailX = in.nextInt(), tailY = in.nextInt();
                headX[player] = in.nextInt();
                headY[player] = in.nextInt();
                if (headX[player] < 0) {
                    forget(player);
                } else {
                    owner[tailX][tailY] = owner[headX[player]][headY[player]] = player;
                }
            }
            // Notes go to standard error: System.err.println.
            System.out.println(choose(me));
            System.out.flush();
        }
    }
}
