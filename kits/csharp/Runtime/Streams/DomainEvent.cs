using System;
using System.Collections.Generic;

namespace Earshot
{
    /// <summary>Something that happened in Earshot. `Data` is the resource as the API returns it: SanctionResponse.FromJson(e.Data).</summary>
    public sealed class DomainEvent
    {
        public string Id { get; private set; }

        /// <summary>For example sanction.created</summary>
        public string Type { get; private set; }

        public string Source { get; private set; }

        /// <summary>null: the event belongs to no project.</summary>
        public string ProjectId { get; private set; }

        /// <summary>kind:id</summary>
        public string ResourceId { get; private set; }

        public DateTimeOffset Timestamp { get; private set; }

        /// <summary>One of: created, updated, deleted, occurred.</summary>
        public string Action { get; private set; }

        public Dictionary<string, object> Data { get; private set; }

        /// <summary>Earlier values of the fields that changed; null: the event tells none.</summary>
        public Dictionary<string, object> Changes { get; private set; }

        /// <exception cref="UnreadableAnswerException">The JSON has another form.</exception>
        public static DomainEvent FromJson(object json)
        {
            var fields = Fields.Of(json);
            var payload = fields == null ? null : Fields.Map(fields, "payload");
            if (payload == null) throw new UnreadableAnswerException("An event has no payload.", null);
            return new DomainEvent
            {
                Id = Fields.Text(fields, "id"),
                Type = Fields.Text(fields, "type"),
                Source = Fields.Text(fields, "source"),
                ProjectId = Fields.Text(fields, "projectId"),
                ResourceId = Fields.Text(fields, "resourceId"),
                Timestamp = Fields.Time(fields, "timestamp"),
                Action = Fields.Text(payload, "action"),
                Data = Fields.Map(payload, "data"),
                Changes = Fields.Map(payload, "changes"),
            };
        }
    }
}
