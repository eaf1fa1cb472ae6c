using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;

namespace Earshot
{
    /// <summary>Anything that a call may throw, besides OperationCanceledException for a cancelled one.</summary>
    public abstract class EarshotException : Exception
    {
        protected EarshotException(string message, Exception inner) : base(message, inner)
        {
        }

        /// <summary>True if the same call may succeed later.</summary>
        public abstract bool IsPassing { get; }

        /// <summary>True if the answer to a change was lost, so that it may have been done. Look before you repeat it.</summary>
        public bool MayBeDone { get; internal set; }

        public override string Message
        {
            get { return MayBeDone ? base.Message + " What was asked for may have been done: look before you repeat it." : base.Message; }
        }

        /// <summary>What the daemon asks to wait before the next try; null: it does not say.</summary>
        public virtual TimeSpan? RetryAfter
        {
            get { return null; }
        }
    }

    /// <summary>Nothing answered, the connection was cut, or the answer took too long.</summary>
    public sealed class UnreachableException : EarshotException
    {
        public UnreachableException(string address, string why, Exception inner) : base("No answer from " + address + ": " + why, inner)
        {
        }

        public override bool IsPassing
        {
            get { return true; }
        }

        /// <summary>True if no connection was made, so that nothing can have been done.</summary>
        internal bool WasNeverSent
        {
            get
            {
                var web = (InnerException as WebException) ?? (InnerException == null ? null : InnerException.InnerException as WebException);
                if (web != null && (web.Status == WebExceptionStatus.ConnectFailure || web.Status == WebExceptionStatus.NameResolutionFailure)) return true;
                var socket = GetBaseException() as SocketException;
                return socket != null && (socket.SocketErrorCode == SocketError.ConnectionRefused || socket.SocketErrorCode == SocketError.HostNotFound);
            }
        }
    }

    /// <summary>Something answered that is no daemon of Earshot, or one that this kit does not understand.</summary>
    public sealed class UnreadableAnswerException : EarshotException
    {
        public UnreadableAnswerException(string message, Exception inner) : base(message, inner)
        {
        }

        public override bool IsPassing
        {
            get { return false; }
        }
    }

    /// <summary>The callback that gets a new player token failed.</summary>
    public sealed class TokenRefreshException : EarshotException
    {
        public TokenRefreshException(Exception inner) : base("No new player token: " + inner.Message, inner)
        {
        }

        public override bool IsPassing
        {
            get { return true; }
        }
    }

    /// <summary>A finding about one field of a refused request.</summary>
    public sealed class ErrorDetail
    {
        public string Path { get; set; }
        public string Message { get; set; }

        public static ErrorDetail FromJson(object json)
        {
            var fields = Fields.Of(json);
            return new ErrorDetail { Path = Fields.Text(fields, "path"), Message = Fields.Text(fields, "message") };
        }
    }

    /// <summary>The daemon refused. `Code` says what went wrong for programs (see ErrorCode), `Message` what to do for people.</summary>
    public class ApiException : EarshotException
    {
        private readonly TimeSpan? retryAfter;

        internal ApiException(Refusal refusal) : base(refusal.Message, null)
        {
            Status = refusal.Status;
            Code = refusal.Code;
            RequestId = refusal.RequestId;
            Details = refusal.Details;
            retryAfter = refusal.RetryAfter;
        }

        /// <summary>HTTP status.</summary>
        public int Status { get; private set; }

        /// <summary>One of ErrorCode, or `unknown` where something in between answered.</summary>
        public string Code { get; private set; }

        /// <summary>Id under which the daemon logged the request; null where something in between answered.</summary>
        public string RequestId { get; private set; }

        public IReadOnlyList<ErrorDetail> Details { get; private set; }

        public override TimeSpan? RetryAfter
        {
            get { return retryAfter; }
        }

        public override bool IsPassing
        {
            get
            {
                return Status == 408 || Status == 425 || Status == 429 || Status == 500 || Status == 502 || Status == 503 || Status == 504 ||
                    Code == ErrorCode.IdempotencyInProgress;
            }
        }

        internal static ApiException Of(Refusal refusal)
        {
            switch (refusal.Status)
            {
                case 400:
                case 413:
                case 415:
                case 422: return new InvalidRequestException(refusal);
                case 401: return new CredentialException(refusal);
                case 403:
                    if (refusal.Code == ErrorCode.PlayerTokenInvalid) return new CredentialException(refusal);
                    return new ForbiddenException(refusal);
                case 404: return new NotFoundException(refusal);
                case 402:
                case 409: return new ConflictException(refusal);
                case 429: return new RateLimitedException(refusal);
                default:
                    if (refusal.Status >= 500) return new UnavailableException(refusal);
                    return new ApiException(refusal);
            }
        }
    }

    /// <summary>The request is not valid (400, 413, 415, 422). Details name the fields.</summary>
    public sealed class InvalidRequestException : ApiException
    {
        internal InvalidRequestException(Refusal refusal) : base(refusal)
        {
        }
    }

    /// <summary>The credential is missing, wrong or over (401, or 403 player_token_invalid).</summary>
    public sealed class CredentialException : ApiException
    {
        internal CredentialException(Refusal refusal) : base(refusal)
        {
        }
    }

    /// <summary>The credential does not allow this (403): a missing scope or role, a ban.</summary>
    public sealed class ForbiddenException : ApiException
    {
        internal ForbiddenException(Refusal refusal) : base(refusal)
        {
        }
    }

    /// <summary>There is no such thing (404). `Code` names what is missing.</summary>
    public sealed class NotFoundException : ApiException
    {
        internal NotFoundException(Refusal refusal) : base(refusal)
        {
        }
    }

    /// <summary>The state of things does not allow this now (409, or 402 action_not_possible).</summary>
    public sealed class ConflictException : ApiException
    {
        internal ConflictException(Refusal refusal) : base(refusal)
        {
        }
    }

    /// <summary>Too many requests (429). `RetryAfter` says how long to wait.</summary>
    public sealed class RateLimitedException : ApiException
    {
        internal RateLimitedException(Refusal refusal) : base(refusal)
        {
        }
    }

    /// <summary>The daemon, or what is in front of it, cannot answer now (5xx).</summary>
    public sealed class UnavailableException : ApiException
    {
        internal UnavailableException(Refusal refusal) : base(refusal)
        {
        }
    }

    /// <summary>The fields of an answer that refuses.</summary>
    internal sealed class Refusal
    {
        private static readonly IReadOnlyList<ErrorDetail> NoDetails = new List<ErrorDetail>();

        public int Status;
        public string Code;
        public string Message;
        public string RequestId;
        public TimeSpan? RetryAfter;
        public IReadOnlyList<ErrorDetail> Details = NoDetails;

        /// <summary>Reads as much as is there: a proxy may have answered instead of the daemon.</summary>
        public static Refusal Read(int status, string text, TimeSpan? retryAfter)
        {
            var refusal = new Refusal { Status = status, Code = "unknown", Message = "The answer has the status " + status + ".", RetryAfter = retryAfter };
            try
            {
                var fields = Fields.Of(JsonReader.Read(text));
                if (fields == null) return refusal;
                refusal.Code = Fields.Text(fields, "code") ?? refusal.Code;
                refusal.Message = Fields.Text(fields, "message") ?? refusal.Message;
                refusal.RequestId = Fields.Text(fields, "requestId");
                refusal.Details = Fields.Items(fields, "details", ErrorDetail.FromJson) ?? NoDetails;
            }
            catch (FormatException)
            {
            }
            catch (UnreadableAnswerException)
            {
            }
            return refusal;
        }
    }
}
