package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.util.JsonFormat;

import org.junit.jupiter.api.Test;

import referee.v1.Play;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;

/** The messages of the protocol's vectors are read and written. */
class VectorsTest {
    private static final Map<String, Descriptor> KNOWN =
            Map.of(
                    "referee.v1.PlayRequest", Play.PlayRequest.getDescriptor(),
                    "referee.v1.PlayResponse", Play.PlayResponse.getDescriptor());

    @Test
    void vectorsAreDecodedAndEncoded() throws Exception {
        var file = Struct.newBuilder();
        JsonFormat.parser()
                .merge(Files.readString(Path.of("../../protos/vectors/vectors.json")), file);
        ListValue vectors = file.getFieldsOrThrow("vectors").getListValue();
        assertTrue(vectors.getValuesCount() > 10);
        for (var value : vectors.getValuesList()) {
            var vector = value.getStructValue();
            Descriptor type = KNOWN.get(vector.getFieldsOrThrow("message").getStringValue());
            if (type == null) {
                continue; // the view of a game that is not compiled in
            }
            String name = vector.getFieldsOrThrow("name").getStringValue();
            var told = DynamicMessage.newBuilder(type);
            JsonFormat.parser()
                    .merge(JsonFormat.printer().print(vector.getFieldsOrThrow("json")), told);
            byte[] bytes =
                    Base64.getDecoder().decode(vector.getFieldsOrThrow("bytes").getStringValue());
            var decoded = DynamicMessage.parseFrom(type, bytes).toBuilder();
            assertEquals(
                    told.build(),
                    decoded.setUnknownFields(UnknownFieldSet.getDefaultInstance()).build(),
                    name);
            assertEquals(
                    told.build(), DynamicMessage.parseFrom(type, told.build().toByteArray()), name);
        }
    }
}
