package bot;

import referee.v1.Model.ModelError;
import referee.v1.Model.ModelRequest;
import referee.v1.Model.ModelResponse;
import referee.v1.Play.Answers;
import referee.v1.Play.Turns;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The program that looks ahead. It knows what it is told, and ends with the bot. */
final class ModelServer {
    private final OutputStream requests;
    private final InputStream responses;
    private final Callable<String> end;
    private ModelFailure failure;

    /** Takes the streams of a server, and what waits for its end and returns how it ended. */
    ModelServer(OutputStream requests, InputStream responses, Callable<String> end) {
        this.requests = requests;
        this.responses = responses;
        this.end = end;
    }

    /** Starts the program, with the Python that has arena. */
    static ModelServer start() {
        // Without the variable it is a remote bot, whose owner has installed botarena.
        String python = Optional.ofNullable(System.getenv("ARENA_PYTHON")).orElse("python3");
        try {
            var program =
                    new ProcessBuilder(python, "-I", "-m", "arena.model_server")
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            var requests = new BufferedOutputStream(program.getOutputStream());
            var responses = new BufferedInputStream(program.getInputStream());
            return new ModelServer(
                    requests,
                    responses,
                    () -> {
                        program.getOutputStream().close();
                        return "exit code " + program.waitFor();
                    });
        } catch (IOException error) {
            throw new IllegalStateException(
                    "the model server cannot be started: "
                            + error.getMessage()
                            + "; set ARENA_PYTHON to a Python that has botarena",
                    error);
        }
    }

    /**
     * Passes on answers, as they were sent. Where the server is gone, whoever looks ahead is told.
     */
    void tell(Answers answers) {
        write(ModelRequest.newBuilder().setAnswers(answers).build());
    }

    /** Passes on turns, and returns them with lines of the log as events where these are wanted. */
    Turns hear(Turns turns, boolean wantsEvents) {
        if (!wantsEvents) {
            write(ModelRequest.newBuilder().setTurns(turns).build());
            return turns;
        }
        try {
            return ask(ModelRequest.newBuilder().setLines(turns).build()).getLines();
        } catch (ModelFailure gone) {
            var told = turns.toBuilder(); // nobody is left to make lines of values
            told.getQuestionsBuilderList().forEach(question -> question.clearEvents());
            told.getEndsBuilderList().forEach(ended -> ended.clearEvents());
            return told.build();
        }
    }

    ModelResponse ask(ModelRequest request) throws ModelFailure {
        if (!write(request)) {
            throw gone();
        }
        ModelResponse response;
        try {
            response = ModelResponse.parseDelimitedFrom(responses);
        } catch (IOException error) {
            throw gone();
        }
        if (response == null) {
            throw gone();
        }
        if (response.hasError()) {
            throw new ModelFailure(
                    response.getError().getReason(), response.getError().getSentence());
        }
        return response;
    }

    private boolean write(ModelRequest request) {
        try {
            if (failure == null) {
                request.writeDelimitedTo(requests);
                requests.flush();
            }
            return failure == null;
        } catch (IOException error) {
            return false;
        }
    }

    private ModelFailure gone() {
        if (failure == null) {
            String how;
            try {
                how = end.call();
            } catch (Exception error) {
                how = String.valueOf(error.getMessage());
            }
            failure =
                    new ModelFailure(
                            ModelError.Reason.REASON_UNSPECIFIED,
                            "the model server is gone, the bot goes on without it: " + how);
        }
        return failure;
    }
}
