using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Earshot;
using Earshot.Unity;
using UnityEngine;

/// <summary>Counts a kill with each click, and shows challenges and the place on a leaderboard.</summary>
public sealed class Progress : MonoBehaviour
{
    [SerializeField] private string userId = "player-42";
    [SerializeField] private string playerToken = ""; // in a real game, SignIn asks your server
    [SerializeField] private string leaderboardId = "";
    private string text = "";

    private void Start()
    {
        var earshot = EarshotBehaviour.Instance;
        earshot.SignIn(userId, cancel => Task.FromResult(playerToken));
        earshot.Events.Rejected += rejected => Debug.LogWarning(rejected.Code + ": " + rejected.Message + " " + rejected.Json);
        Show();
    }

    private void Update()
    {
        if (!Input.GetMouseButtonDown(0)) return;
        EarshotBehaviour.Instance.Events.Enqueue("kill-enemy", new Dictionary<string, object> { { "amount", 1 } });
        Show();
    }

    private async void Show()
    {
        var earshot = EarshotBehaviour.Instance;
        try
        {
            await earshot.Events.FlushAsync(earshot.Leaving);
            var categories = await earshot.Player.GetPersonalChallengesAsync(cancel: earshot.Leaving);
            var lines = categories.SelectMany(category => category.Challenges).Select(challenge =>
                challenge.ChallengeName + ": " + challenge.UserChallengeCurrentScore + " of " + challenge.ChallengeGoal + ", " + challenge.Type).ToList();
            if (leaderboardId != "")
            {
                var place = await earshot.Player.GetLeaderboardRankingAsync("user", userId, leaderboardId, 2, earshot.Leaving);
                lines.AddRange(place.Around.Select(one => one.Rank + ". " + (one.AdditionalInfo.Username ?? one.MemberId) + " " + one.Score));
            }
            text = string.Join("\n", lines);
        }
        catch (EarshotException error)
        {
            text = error.Message;
        }
        catch (System.OperationCanceledException)
        {
            // the game ends
        }
    }

    private void OnGUI()
    {
        GUI.Label(new Rect(20, 20, 600, 600), text);
    }
}
