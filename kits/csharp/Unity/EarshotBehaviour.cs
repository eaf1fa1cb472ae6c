using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;

namespace Earshot.Unity
{
    /// <summary>
    /// Earshot in a Unity game: put it on one object of the first scene. It runs callbacks on the main thread, keeps game events in the
    /// player's data folder, and sends them before the game is paused.
    /// </summary>
    public sealed class EarshotBehaviour : MonoBehaviour
    {
        [SerializeField] private string baseUrl = "http://127.0.0.1:8080";
        [SerializeField] private string projectId = "";
        [SerializeField] private string language = "en";
        [SerializeField] private float millisecondsPerFrame = 2;

        private readonly MainThread mainThread = new MainThread();
        private readonly CancellationTokenSource leaving = new CancellationTokenSource();

        /// <summary>The one of the game; null before it wakes.</summary>
        public static EarshotBehaviour Instance { get; private set; }

        /// <summary>The signed-in player; null before SignIn.</summary>
        public PlayerClient Player { get; private set; }

        /// <summary>Game events of the signed-in player; null before SignIn.</summary>
        public GameEventQueue Events { get; private set; }

        /// <summary>Where the daemon is, with callbacks on the main thread.</summary>
        public EarshotOptions Options
        {
            get { return new EarshotOptions { BaseUrl = baseUrl, ProjectId = projectId, Language = language, MainThread = mainThread }; }
        }

        /// <summary>Cancelled when the game ends: pass it to calls and streams.</summary>
        public CancellationToken Leaving
        {
            get { return leaving.Token; }
        }

        /// <summary>Opens the client and the queue of a player; those of the player before are closed.</summary>
        /// <param name="userId">Your id of the player: the events of each lie in a folder of their own.</param>
        /// <param name="getToken">Asks your server for a player token.</param>
        /// <exception cref="IOException">Another running copy of the game has the folder.</exception>
        public void SignIn(string userId, Func<CancellationToken, Task<string>> getToken)
        {
            SignOut();
            Player = new PlayerClient(Options, getToken);
            Events = new GameEventQueue(Player, new GameEventQueueOptions { Folder = FolderOf(userId) });
        }

        public void SignOut()
        {
            if (Events != null) Events.Dispose();
            if (Player != null) Player.Dispose();
            Events = null;
            Player = null;
        }

        /// <summary>The name is a hash: an id may be `..` or CON, and some file systems take Ann and ann for the same.</summary>
        private string FolderOf(string userId)
        {
            var root = Path.Combine(Application.persistentDataPath, "earshot");
            string name;
            using (var sha = SHA256.Create()) name = BitConverter.ToString(sha.ComputeHash(Encoding.UTF8.GetBytes(projectId + "/" + userId)), 0, 16).Replace("-", "").ToLowerInvariant();
            var folder = Path.Combine(root, name);
            var earlier = Path.Combine(root, Uri.EscapeDataString(userId)); // of earlier versions of the kit, with events that still wait
            if (userId.Trim('.') != "" && !Directory.Exists(folder) && Directory.Exists(earlier)) Directory.Move(earlier, folder);
            return folder;
        }

        private void Awake()
        {
            if (Instance != null)
            {
                Destroy(gameObject);
                return;
            }
            Instance = this;
            mainThread.Failed += Debug.LogException;
            DontDestroyOnLoad(gameObject);
        }

        private void Update()
        {
            mainThread.RunPending(millisecondsPerFrame);
        }

        private void OnApplicationPause(bool isPaused)
        {
            if (isPaused && Events != null) SendNow(Events);
        }

        private void OnDestroy()
        {
            if (Instance != this) return;
            Instance = null;
            leaving.Cancel();
            SignOut();
        }

        /// <summary>Mobile systems give a paused game some seconds. What they do not suffice for is sent after the next start.</summary>
        private async void SendNow(GameEventQueue events)
        {
            try
            {
                await events.FlushAsync(leaving.Token);
            }
            catch (OperationCanceledException)
            {
            }
            catch (Exception error)
            {
                Debug.LogException(error);
            }
        }
    }
}
