package com.codingame.game;

import com.codingame.gameengine.core.AbstractPlayer.TimeoutException;
import com.codingame.gameengine.core.AbstractReferee;
import com.codingame.gameengine.core.MultiplayerGameManager;
import com.google.inject.Inject;

/**
 * Players take one to three stones from a heap in turn; a player's score is its number of stones,
 * and the last one counts for four. A player that is late or takes another number is out with -1.
 *
 * <p>Parameters: fail=TURN throws an exception, kept=1 has each game begin with another heap than
 * the one before in the same process.
 */
public class Referee extends AbstractReferee {
    private static int games;

    @Inject
    private MultiplayerGameManager<Player> manager;

    private int heap;

    @Override
    public void init() {
        heap = 20 + manager.getRandom().nextInt(10);
        if (parameter("kept") == 1) {
            heap += games++;
        }
        manager.setMaxTurns(100);
        manager.setTurnMaxTime(100);
    }

    private int parameter(String name) {
        return Integer.parseInt(manager.getGameParameters().getProperty(name, "0"));
    }

    @Override
    public void gameTurn(int turn) {
        if (turn == parameter("fail")) {
            throw new IllegalStateException("the heap is on fire");
        }
        for (Player player : manager.getActivePlayers()) {
            if (heap > 0 && manager.getActivePlayers().size() > 1) {
                player.sendInputLine(heap + " " + manager.getLeagueLevel());
                player.execute();
                take(player);
            }
        }
        if (heap == 0 || manager.getActivePlayers().size() < 2) {
            manager.endGame();
        }
    }

    private void take(Player player) {
        try {
            int taken = Integer.parseInt(player.getOutputs().get(0));
            if (taken < 1 || taken > Math.min(3, heap)) {
                throw new NumberFormatException();
            }
            heap -= taken;
            player.stones += heap == 0 ? taken + 3 : taken;
            player.setScore(player.stones);
            System.out.println("nobody reads this");
            manager.addToGameSummary("$" + player.getIndex() + " takes " + taken);
        } catch (TimeoutException | NumberFormatException error) {
            player.setScore(-1);
            player.deactivate("$" + player.getIndex() + " is out");
        }
    }

    @Override
    public void onEnd() {
        manager.putMetadata("left", heap);
    }
}
