//! Makes the stubs from the protos, without a protoc.

const PROTOS: &str = "../../protos";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed={PROTOS}");
    let files = protox::compile(
        ["referee/v1/play.proto", "referee/v1/kille.proto"],
        [PROTOS],
    )?;
    tonic_prost_build::configure()
        .build_server(false)
        .compile_fds(files)?;
    Ok(())
}
