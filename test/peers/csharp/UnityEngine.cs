// As much of Unity's own API as kits/csharp uses, so that Mono can compile what Unity compiles.
using System;

namespace UnityEngine
{
    public class SerializeField : Attribute
    {
    }

    public class Object
    {
        public static void Destroy(Object one)
        {
        }

        public static void DontDestroyOnLoad(Object one)
        {
        }
    }

    public class GameObject : Object
    {
    }

    public class MonoBehaviour : Object
    {
        public GameObject gameObject = new GameObject();
    }

    public static class Application
    {
        public static string persistentDataPath = System.IO.Path.GetTempPath();
    }

    public static class Debug
    {
        public static void Log(object message)
        {
            Console.WriteLine(message);
        }

        public static void LogException(Exception exception)
        {
            Console.WriteLine(exception);
        }

        public static void LogWarning(object message)
        {
            Console.WriteLine(message);
        }
    }

    public static class Input
    {
        public static bool GetMouseButtonDown(int button)
        {
            return false;
        }
    }

    public struct Rect
    {
        public Rect(float x, float y, float width, float height)
        {
        }
    }

    public static class GUI
    {
        public static void Label(Rect place, string text)
        {
        }
    }
}
