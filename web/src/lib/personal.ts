/** What a tab keeps in session storage for whoever is signed in. It ends with the session, as the session's own keys do. */
export const personal = { recent: 'neptune.recent', places: 'neptune.places' }
