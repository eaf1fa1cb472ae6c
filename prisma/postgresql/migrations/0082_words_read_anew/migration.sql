-- Words of transcripts are read in another way: the daemon indexes all messages anew in the background, the newest first.
TRUNCATE "MessageIndexed";
