using System;
using System.Linq;
using System.Threading.Tasks;
using Earshot;
using Earshot.Unity;
using UnityEngine;

/// <summary>What a dedicated server does when a player knocks, and while they play. Never ship the key with the game.</summary>
public sealed class DedicatedServer : MonoBehaviour
{
    private ServerClient server;

    private void Start()
    {
        server = new ServerClient(EarshotBehaviour.Instance.Options, Environment.GetEnvironmentVariable("EARSHOT_API_KEY"));
        FollowSanctions();
    }

    /// <summary>Returns the player token of somebody who may play; null: banned.</summary>
    public async Task<string> AdmitAsync(string userId)
    {
        var standing = await server.ListActiveUserSanctionsAsync(userId);
        if (standing.Any(one => one.Type == "temp_ban" || one.Type == "perm_ban")) return null;
        return (await server.CreatePlayerTokenAsync(userId)).Token;
    }

    private async void FollowSanctions()
    {
        var stream = new EventStream(server) { Types = "sanction.created" };
        stream.Lost += error => Debug.LogWarning(error.Message);
        try
        {
            await stream.RunAsync(happened =>
            {
                var sanction = SanctionResponse.FromJson(happened.Data);
                Debug.Log(sanction.ExternalUserId + ": " + sanction.Type + ", " + sanction.Reason);
                return Task.FromResult(true);
            }, EarshotBehaviour.Instance.Leaving);
        }
        catch (OperationCanceledException)
        {
            server.Dispose();
        }
    }
}
