// A game without Unity: frames on one thread, calls on others. Plays some kills towards a challenge, claims the reward, and shows
// the place on a leaderboard, whatever the network does meanwhile.
// Compile: mcs -r:System.Net.Http.dll $(find kits/csharp/Runtime -name '*.cs') examples/csharp/Evening.cs
// Environment: EARSHOT_URL, EARSHOT_PROJECT, PLAYER, PLAYER_TOKEN, CHALLENGE, LEADERBOARD, KILLS
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Earshot;

static class Evening
{
    static readonly Func<string, string> Setting = Environment.GetEnvironmentVariable;
    static readonly MainThread MainThread = new MainThread();
    static PlayerClient player;
    static GameEventQueue events;

    static int Main()
    {
        var options = new EarshotOptions { BaseUrl = Setting("EARSHOT_URL"), ProjectId = Setting("EARSHOT_PROJECT"), MainThread = MainThread, Attempts = 20 };
        var token = Setting("PLAYER_TOKEN"); // a real game asks its server: examples/csharp/GameServer.cs
        player = new PlayerClient(options, cancel => Task.FromResult(token), token);
        events = new GameEventQueue(player, new GameEventQueueOptions { Folder = "queue", MaxBatch = 5, FlushInterval = TimeSpan.FromSeconds(0.2) });
        if (events.Waiting > 0) Console.WriteLine(events.Waiting + " kills wait from the last time");
        events.Delayed += error => Console.WriteLine("the network fails, " + events.Waiting + " kills wait");
        events.Rejected += rejected => Console.WriteLine("rejected: " + rejected.Code + " " + rejected.Json);
        var evening = PlayAsync(int.Parse(Setting("KILLS")));
        while (!evening.IsCompleted)
        {
            MainThread.RunPending();
            Thread.Sleep(16);
        }
        try
        {
            evening.GetAwaiter().GetResult();
            return 0;
        }
        catch (EarshotException error)
        {
            Console.WriteLine(error.Message);
            return 1;
        }
    }

    static async Task PlayAsync(int kills)
    {
        var id = Setting("CHALLENGE");
        var challenge = await player.GetPersonalChallengeByIdAsync(id);
        if (challenge.Type == "unlock") challenge = (await player.UnlockPersonalChallengeAsync(id)).Challenge;
        if (challenge.Type == "unlocked") challenge = (await player.ActivatePersonalChallengeAsync(id)).Challenge;
        Console.WriteLine("The challenge: " + challenge.ChallengeName);
        for (var kill = 0; kill < kills; kill += 1)
        {
            events.Enqueue("kill-enemy", new Dictionary<string, object> { { "amount", 1 } });
            await Task.Delay(100);
        }
        Console.WriteLine(kills + " kills played");
        await events.FlushAsync();
        challenge = await player.GetPersonalChallengeByIdAsync(id);
        Console.WriteLine(challenge.ChallengeName + ": " + challenge.UserChallengeCurrentScore + " of " + challenge.ChallengeGoal);
        if (challenge.Type == "unclaimed")
        {
            await player.ClaimPersonalChallengeRewardAsync(id);
            Console.WriteLine("The reward: " + challenge.ChallengeReward);
        }
        var place = await player.GetLeaderboardRankingAsync("user", Setting("PLAYER"), Setting("LEADERBOARD"), 1);
        foreach (var one in place.Around) Console.WriteLine(one.Rank + ". " + one.MemberId + " " + one.Score);
        await events.CloseAsync(TimeSpan.FromSeconds(5));
    }
}
