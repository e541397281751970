package bot;

import referee.v1.Model.ModelError;

/** Says why a request to the model server was not fulfilled, and what to do. */
public final class ModelFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final ModelError.Reason reason;

    ModelFailure(ModelError.Reason reason, String sentence) {
        super(sentence);
        this.reason = reason;
    }

    /** Returns the kind of the failure; unspecified where there is no model server any more. */
    public ModelError.Reason reason() {
        return reason;
    }
}
