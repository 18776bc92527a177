package com.codingame.gameengine.core;

import java.util.ArrayList;
import java.util.List;

/** Player of a game. */
public abstract class AbstractPlayer {
    /** The player was late, crashed, or said too little. */
    public static class TimeoutException extends Exception {}

    GameManager<?> manager;
    int index;
    int score;
    private final List<String> inputs = new ArrayList<>();
    private List<String> outputs;

    public abstract int getExpectedOutputLines();

    public int getIndex() {
        return index;
    }

    public int getScore() {
        return score;
    }

    public void sendInputLine(String line) {
        inputs.add(line);
    }

    public void execute() {
        outputs = manager.call(index, getExpectedOutputLines(), inputs);
        inputs.clear();
    }

    public List<String> getOutputs() throws TimeoutException {
        if (outputs == null) {
            throw new TimeoutException();
        }
        return outputs;
    }
}
