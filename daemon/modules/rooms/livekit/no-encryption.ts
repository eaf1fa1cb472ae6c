/** Why a room is refused. */
export const noEncryption =
  'Rooms that LiveKit carries cannot be encrypted end to end here: nothing would keep frames in clear from the others. Run `earshot settings e2e-encryption disabled`.';
