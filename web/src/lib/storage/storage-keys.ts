/** Session storage keys of a user's data. Cleared when the session ends. */
export const personalKeys = { recent: 'neptune.recent', scrollPositions: 'neptune.places' }
