//! The messages of the protocol's vectors are read and written.

use base64::{Engine, engine::general_purpose::STANDARD};
use bot::proto::{PlayRequest, PlayResponse};
use prost::Message;

fn there_and_back<M: Message + Default + PartialEq + std::fmt::Debug>(bytes: &[u8]) {
    let decoded = M::decode(bytes).expect("bytes of a message");
    assert_eq!(
        M::decode(decoded.encode_to_vec().as_slice()).expect("our own bytes"),
        decoded
    );
}

#[test]
fn vectors_are_decoded_and_encoded() {
    let text = std::fs::read_to_string("../../protos/vectors/vectors.json").expect("the vectors");
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for vector in file["vectors"].as_array().expect("a list") {
        let bytes = STANDARD
            .decode(vector["bytes"].as_str().expect("base64"))
            .expect("base64");
        match vector["message"].as_str() {
            Some("referee.v1.PlayRequest") => there_and_back::<PlayRequest>(&bytes),
            Some("referee.v1.PlayResponse") => there_and_back::<PlayResponse>(&bytes),
            _ => {} // views of games that are not compiled in
        }
    }
}
