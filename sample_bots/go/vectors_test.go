package main

import (
	"encoding/json"
	"os"
	"testing"

	_ "example.com/bot/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

type vector struct {
	Name, Message string
	JSON          json.RawMessage
	Bytes         []byte
}

func TestVectors(t *testing.T) {
	content, err := os.ReadFile("../../protos/vectors/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	for _, vector := range file.Vectors {
		t.Run(vector.Name, func(t *testing.T) {
			kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(vector.Message))
			if err != nil {
				t.Fatal(err)
			}
			told, decoded := kind.New().Interface(), kind.New().Interface()
			if err := protojson.Unmarshal(vector.JSON, told); err != nil {
				t.Fatal(err)
			}
			if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(vector.Bytes, decoded); err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(told, decoded) {
				t.Errorf("decoded %v, told %v", decoded, told)
			}
			encoded, _ := proto.Marshal(told)
			again := kind.New().Interface()
			if err := proto.Unmarshal(encoded, again); err != nil || !proto.Equal(told, again) {
				t.Errorf("encoded and decoded again %v, told %v", again, told)
			}
		})
	}
}
