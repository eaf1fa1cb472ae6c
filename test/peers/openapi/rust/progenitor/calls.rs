//! Makes the twelve calls through the client that progenitor made, and prints what it got as JSON.
#[allow(dead_code)]
#[path = "generated/client.rs"]
mod client;
use client::{Client, Error, types};
use serde_json::json;

fn given(name: &str) -> String {
    std::env::var(format!("DAEMON_{name}")).expect(name)
}

fn client_of(key: &str) -> Result<Client, Box<dyn std::error::Error>> {
    let headers = [("x-api-key".parse()?, key.parse()?)].into_iter().collect();
    Ok(Client::new_with_client(&given("URL"), reqwest::Client::builder().default_headers(headers).build()?))
}

fn status_of<T, E>(answer: Result<T, Error<E>>) -> u16 {
    answer.err().and_then(|refusal| refusal.status()).map_or(0, |status| status.as_u16())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (project, user) = (given("PROJECT"), given("USER"));
    let client = client_of(&given("API_KEY"))?;

    let ready = client.get_readiness().await?.into_inner();
    let body = serde_json::from_value(json!({ "externalUserId": user }))?;
    let participant = client.create_participant(&project.parse()?, None, &body).await?.into_inner();
    let body = serde_json::from_value(json!({ "externalUserId": user, "type": "mute" }))?;
    let sanction = client.create_sanction(&project.parse()?, None, &body).await?.into_inner();
    let (one, target) = (1.try_into()?, user.parse()?);
    let page = client
        .list_sanctions(
            &project.parse()?, None, None, None, None, None, None, None, Some(&target), Some(one), None, None, None, None,
            None,
        )
        .await?
        .into_inner();
    let id = sanction.id.to_string();
    let body = types::RevokeSanctionRequest { reason: None };
    let revoked = client.revoke_sanction(&project.parse()?, &id.parse()?, None, &body).await?.into_inner();
    let change = serde_json::from_value(json!({ "reason": "too late" }))?;
    let conflict = status_of(client.update_sanction(&project.parse()?, &id.parse()?, &change).await);
    let nobody = "00000000-0000-7000-8000-000000000000";
    let unknown = status_of(client.get_sanction(&project.parse()?, &nobody.parse()?).await);
    let score = json!({ "user_id": user, "event_name": "achieve-score", "metadata": { "score": 3_000_000_000_i64 } });
    let event = client.send_event(None, None, None, &serde_json::from_value(score)?).await?.into_inner();
    let kind = types::GetLeaderboardMemberMemberType::User;
    let member = client
        .get_leaderboard_member(&project.parse()?, &given("BOARD").parse()?, kind, &user.parse()?, None, None)
        .await?
        .into_inner();
    let kill = json!({ "user_id": user, "event_name": "kill-enemy", "metadata": { "amount": 1 } });
    let batch = serde_json::from_value(json!({ "events": vec![kill; 200] }))?;
    let upload = client.send_events(None, None, None, &batch).await?.into_inner();
    let wrong = client_of("earshot_live_wrong")?;
    let stranger = status_of(wrong.delete_participant(&project.parse()?, &participant.id.to_string().parse()?).await);
    let removed = client.delete_participant(&project.parse()?, &participant.id.to_string().parse()?).await?.status();
    let got = json!({
        "ready": ready.status,
        "participant": participant.external_user_id,
        "permanent": sanction.end_at.is_none() && sanction.reason.is_none(),
        "page": [page.total, page.sanctions.len() as i64],
        "revoked": revoked.status,
        "conflict": conflict,
        "unknown": unknown,
        "event": event.message,
        "score": member.member.score,
        "upload": upload.results.len(),
        "stranger": stranger,
        "removed": removed.as_u16(),
    });
    println!("{got}");
    Ok(())
}
