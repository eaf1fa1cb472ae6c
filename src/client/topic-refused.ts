/** The broker says no: to the credential, or to one of the topics. */
export class TopicRefused extends Error {
  override name = 'TopicRefused';
}
