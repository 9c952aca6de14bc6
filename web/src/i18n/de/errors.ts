import type { ErrorCode, errors as inEnglish } from '@neptune/contract'
import type { entry } from './entry.ts'

type Message = (typeof inEnglish)[ErrorCode]['message']

/** German texts of the server's error messages, keyed by the English message. A missing one is a type error. */
export const errors = {
  'The request is invalid. Check it and try again.': 'Die Anfrage ist ungültig. Prüfen Sie sie und versuchen Sie es erneut.',
  'A header of this upload is missing or invalid. Check the headers listed and try again.':
    'Ein Header dieses Uploads fehlt oder ist ungültig. Prüfen Sie die genannten Header und versuchen Sie es erneut.',
  'Send exactly one file as multipart/form-data, in a field named file.':
    'Senden Sie genau eine Datei als multipart/form-data, in einem Feld namens file.',
  'This isn’t the access code of this link. Check it and try again.':
    'Das ist nicht der Zugangscode dieses Links. Prüfen Sie ihn und versuchen Sie es erneut.',
  'A file can’t have this name. Choose a different name.': 'Eine Datei darf nicht so heißen. Wählen Sie einen anderen Namen.',
  'Incorrect email or password. Check both and try again.':
    'E-Mail-Adresse oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es erneut.',
  'Your access to this link has ended. Enter the access code again. If it no longer works, contact the sender.':
    'Ihr Zugriff auf diesen Link ist beendet. Geben Sie den Zugangscode erneut ein. Wenn er nicht mehr funktioniert, wenden Sie sich an den Absender.',
  'Your role doesn’t allow this. Ask an administrator.': 'Ihre Rolle erlaubt das nicht. Wenden Sie sich an einen Administrator.',
  'This link doesn’t allow this. Ask the person who sent it to you.':
    'Dieser Link erlaubt das nicht. Fragen Sie die Person, die ihn Ihnen geschickt hat.',
  'There is nothing at this address.': 'Unter dieser Adresse gibt es nichts.',
  'Company not found.': 'Unternehmen nicht gefunden.',
  'Session not found.': 'Sitzung nicht gefunden.',
  'Directory not found.': 'Verzeichnis nicht gefunden.',
  'File not found.': 'Datei nicht gefunden.',
  'Link not found.': 'Link nicht gefunden.',
  'Receipt not found.': 'Beleg nicht gefunden.',
  'Upload not found. It may have expired or been canceled.':
    'Upload nicht gefunden. Vielleicht ist er abgelaufen oder wurde abgebrochen.',
  'Email not found.': 'E-Mail nicht gefunden.',
  'This link has already been used, is more than an hour old, or is incomplete. Request a new one.':
    'Dieser Link wurde bereits verwendet, ist älter als eine Stunde oder unvollständig. Fordern Sie einen neuen an.',
  'This invitation has already been used, has expired, was revoked, or its link is incomplete. Ask an administrator for a new one.':
    'Diese Einladung wurde bereits verwendet, ist abgelaufen, wurde zurückgezogen, oder ihr Link ist unvollständig. Bitten Sie einen Administrator um eine neue.',
  'User not found.': 'Benutzer nicht gefunden.',
  'This user already has a password, so there is no invitation.':
    'Diese Person hat bereits ein Passwort, also gibt es keine Einladung.',
  'This user is suspended. Restore them first.': 'Diese Person ist gesperrt. Entsperren Sie sie zuerst.',
  'The request took too long to arrive. Try again.': 'Die Anfrage kam nicht rechtzeitig an. Versuchen Sie es erneut.',
  'A directory with this name already exists. Choose a different name.':
    'Ein Verzeichnis mit diesem Namen gibt es bereits. Wählen Sie einen anderen Namen.',
  'A file with this name already exists. Choose a different name.':
    'Eine Datei mit diesem Namen gibt es bereits. Wählen Sie einen anderen Namen.',
  'The offset doesn’t match the bytes received so far. Send a HEAD request to get the current offset.':
    'Der Offset stimmt nicht mit den bisher empfangenen Bytes überein. Fragen Sie den aktuellen Offset mit einer HEAD-Anfrage ab.',
  'A company with this name already exists. Choose a different name.':
    'Ein Unternehmen mit diesem Namen gibt es bereits. Wählen Sie einen anderen Namen.',
  'This link has expired, or doesn’t work right now. Its details say why.':
    'Dieser Link ist abgelaufen oder funktioniert gerade nicht. Den Grund finden Sie in seinen Details.',
  'The company of this link is archived, so the link doesn’t work. Restore the company first, or ask an administrator to.':
    'Das Unternehmen dieses Links ist archiviert, deshalb funktioniert der Link nicht. Stellen Sie zuerst das Unternehmen wieder her, oder bitten Sie einen Administrator darum.',
  'What this link shares is in the trash, so the link doesn’t work. Restore it first.':
    'Was dieser Link freigibt, ist im Papierkorb, deshalb funktioniert der Link nicht. Stellen Sie es zuerst wieder her.',
  'This link has more than 90 days left, so it can’t be extended yet.':
    'Dieser Link läuft noch mehr als 90 Tage und kann deshalb noch nicht verlängert werden.',
  'This key and access code aren’t reserved for you, or the reservation has expired. Start over.':
    'Schlüssel und Zugangscode sind nicht für Sie reserviert, oder die Reservierung ist abgelaufen. Beginnen Sie von vorn.',
  'This link has already been created. You’ll find it on the Links page.':
    'Dieser Link wurde bereits erstellt. Sie finden ihn auf der Seite „Links“.',
  'This email was already sent, or is about to be.': 'Diese E-Mail wurde bereits gesendet oder wird gerade gesendet.',
  'Another user already has this email address.': 'Diese E-Mail-Adresse ist bereits vergeben.',
  'You can’t do this to your own account. Ask another administrator.':
    'Bei Ihrem eigenen Konto geht das nicht. Wenden Sie sich an einen anderen Administrator.',
  'Change your own name and email address under Account. You’ll need your password.':
    'Ihren eigenen Namen und Ihre E-Mail-Adresse ändern Sie unter „Konto“. Dafür brauchen Sie Ihr Passwort.',
  'This company is archived, so nothing can be added to it. Ask an administrator to restore it.':
    'Dieses Unternehmen ist archiviert, deshalb kann nichts hinzugefügt werden. Bitten Sie einen Administrator, es wiederherzustellen.',
  'The last administrator belongs to this company. Make someone in another company an administrator first.':
    'Der letzte Administrator gehört zu diesem Unternehmen. Machen Sie zuerst jemanden in einem anderen Unternehmen zum Administrator.',
  'This is the last administrator. Make someone else an administrator first.':
    'Das ist der letzte Administrator. Machen Sie zuerst jemand anderen zum Administrator.',
  'This person owns links that haven’t expired. Choose who takes them over, or close them.':
    'Diese Person hat Links, die noch nicht abgelaufen sind. Wählen Sie, wer sie übernimmt, oder schließen Sie sie.',
  'This person can’t sign in, or has no access to the company of one of these links. Choose someone else, or give them access first.':
    'Diese Person kann sich nicht anmelden oder hat keinen Zugriff auf das Unternehmen eines dieser Links. Wählen Sie jemand anderen, oder geben Sie ihr zuerst Zugriff.',
  'Unsupported tus version. Send Tus-Resumable: 1.0.0.':
    'Diese tus-Version wird nicht unterstützt. Senden Sie Tus-Resumable: 1.0.0.',
  'The file is larger than this server accepts.': 'Die Datei ist größer, als dieser Server annimmt.',
  'The request is larger than this server accepts.': 'Die Anfrage ist größer, als dieser Server annimmt.',
  'The requested range is outside the file.': 'Der angeforderte Bereich liegt außerhalb der Datei.',
  'This call doesn’t accept this content type.': 'Dieser Aufruf akzeptiert diesen Inhaltstyp nicht.',
  'Another request is writing to this upload. Try again in a moment.':
    'Eine andere Anfrage schreibt gerade in diesen Upload. Versuchen Sie es gleich erneut.',
  'The request headers are larger than this server accepts.': 'Die Header der Anfrage sind größer, als dieser Server annimmt.',
  'Too many attempts. Wait before you try again.': 'Zu viele Versuche. Warten Sie, bevor Sie es erneut versuchen.',
  'Too many ZIP downloads are running. Wait for one of them to finish, then try again.':
    'Es laufen zu viele ZIP-Downloads. Warten Sie, bis einer davon fertig ist, und versuchen Sie es dann erneut.',
  'Too many uploads at once. Finish or cancel some of them first.':
    'Zu viele Uploads auf einmal. Beenden Sie zuerst einige oder brechen Sie sie ab.',
  'Too many emails. Wait before you send another one.': 'Zu viele E-Mails. Warten Sie, bevor Sie eine weitere senden.',
  'This token’s scope doesn’t allow this call. Use a token with a wider scope, or sign in.':
    'Die Berechtigungen dieses Tokens reichen für diesen Aufruf nicht aus. Verwenden Sie ein Token mit mehr Rechten oder melden Sie sich an.',
  'Token not found.': 'Token nicht gefunden.',
  'Webhook not found.': 'Webhook nicht gefunden.',
  'You’ve reached the limit of 50 tokens. Revoke one before you create another.':
    'Sie haben die Höchstzahl von 50 Tokens erreicht. Widerrufen Sie eines, bevor Sie ein weiteres erstellen.',
  'This company has reached the limit of 20 webhooks. Delete one before you create another.':
    'Dieses Unternehmen hat die Höchstzahl von 20 Webhooks erreicht. Löschen Sie einen, bevor Sie einen weiteren erstellen.',
  'This webhook is paused. Resume it first.': 'Dieser Webhook ist pausiert. Setzen Sie ihn zuerst fort.',
  'Too many test deliveries. Wait before you send another one.':
    'Zu viele Testzustellungen. Warten Sie, bevor Sie eine weitere senden.',
  'The server is busy. Try again in a moment.': 'Der Server ist ausgelastet. Versuchen Sie es gleich erneut.',
  'Something went wrong on our side. Try again. If it keeps happening, give an administrator the request ID.':
    'Bei uns ist etwas schiefgegangen. Versuchen Sie es erneut. Wenn es wieder passiert, nennen Sie einem Administrator die Anfrage-ID.',
  'This file is damaged on the server. Tell an administrator.':
    'Diese Datei ist auf dem Server beschädigt. Informieren Sie einen Administrator.',
  'This directory can’t be downloaded as a ZIP because one of its files is damaged. Download the others one by one, and tell an administrator.':
    'Dieses Verzeichnis kann nicht als ZIP heruntergeladen werden, weil eine seiner Dateien beschädigt ist. Laden Sie die anderen einzeln herunter und informieren Sie einen Administrator.',
  'The server is restarting. Try again in a moment.': 'Der Server startet gerade neu. Versuchen Sie es gleich erneut.',
  'The server is temporarily unavailable. Try again in a moment.':
    'Der Server ist vorübergehend nicht verfügbar. Versuchen Sie es gleich erneut.',
  'The server can’t reach its file storage. Try again in a moment.':
    'Der Server erreicht seinen Dateispeicher nicht. Versuchen Sie es gleich erneut.',
  'The checksum doesn’t match. The bytes were discarded; send them again.':
    'Die Prüfsumme stimmt nicht. Die Daten wurden verworfen; senden Sie sie erneut.',
  'This link can’t take any more files. Tell the person who sent it to you.':
    'Dieser Link nimmt keine weiteren Dateien an. Informieren Sie die Person, die ihn Ihnen geschickt hat.',
  'There isn’t enough space for this file. Tell an administrator, or the person who sent you the link.':
    'Für diese Datei reicht der Speicherplatz nicht. Informieren Sie einen Administrator oder die Person, die Ihnen den Link geschickt hat.',
  'This server has run out of storage. Tell an administrator, or the person who sent you the link.':
    'Auf diesem Server ist kein Speicherplatz mehr frei. Informieren Sie einen Administrator oder die Person, die Ihnen den Link geschickt hat.',
  'This user hasn’t accepted their invitation yet. Send them a new invitation instead.':
    'Diese Person hat ihre Einladung noch nicht angenommen. Senden Sie ihr stattdessen eine neue Einladung.',
} as const satisfies Record<Exclude<Message, keyof typeof entry>, string>
