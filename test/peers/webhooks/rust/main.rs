//! Verifies the body on standard input: verify SECRET ID TIMESTAMP SIGNATURE. Prints `verified`, or why not.
use http::HeaderMap;
use standardwebhooks::Webhook;
use std::{env::args, error::Error, io::Read};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = args().skip(1).collect();
    let [secret, id, timestamp, signature] = arguments.try_into().map_err(|_| "verify SECRET ID TIMESTAMP SIGNATURE")?;
    let mut body = Vec::new();
    std::io::stdin().read_to_end(&mut body)?;
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", id.parse()?);
    headers.insert("webhook-timestamp", timestamp.parse()?);
    headers.insert("webhook-signature", signature.parse()?);
    match Webhook::new(&secret)?.verify(&body, &headers) {
        Ok(()) => println!("verified"),
        Err(refusal) => println!("refused: {refusal}"),
    }
    Ok(())
}
