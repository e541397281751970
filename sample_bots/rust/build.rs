//! Makes the stubs from the protos, without a protoc.

const PROTOS: &str = "../../protos";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed={PROTOS}");
    let messages = std::fs::read_dir(format!("{PROTOS}/referee/v1"))?;
    let paths: Vec<_> = messages
        .map(|file| Ok(file?.path()))
        .collect::<std::io::Result<_>>()?;
    let files = protox::compile(paths, [PROTOS])?;
    tonic_prost_build::configure()
        .build_server(false)
        .compile_fds(files)?;
    Ok(())
}
