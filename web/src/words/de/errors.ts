import type { ErrorCode, errors as inEnglish } from '@neptune/contract'
import type { entry } from './entry.ts'

type Message = (typeof inEnglish)[ErrorCode]['message']

/** What the server refuses, by the words it says itself. One that is missing does not compile. */
export const errors = {
  'The request is not valid. Check the fields named and send it again.':
    'Die Anfrage ist ungültig. Prüfen Sie die genannten Felder und senden Sie sie erneut.',
  'The upload is not valid: a header of it is missing or wrong.': 'Der Upload ist ungültig: Ein Header fehlt oder ist falsch.',
  'Send one file, as multipart/form-data in the field file.': 'Senden Sie eine Datei als multipart/form-data im Feld file.',
  'This is not the access code of this link.': 'Das ist nicht der Zugangscode dieses Links.',
  'A file cannot have this name.': 'Eine Datei kann nicht so heißen.',
  'That e-mail and password do not match. Check both and try again.':
    'E-Mail-Adresse und Passwort passen nicht zusammen. Prüfen Sie beides und versuchen Sie es erneut.',
  'This link has ended, is paused, or has a new access code. Enter the code again, or ask the sender.':
    'Dieser Link wurde beendet, ist pausiert oder hat einen neuen Zugangscode. Geben Sie den Code noch einmal ein oder fragen Sie den Absender.',
  'Your role does not allow this. Ask an administrator.': 'Ihre Rolle erlaubt das nicht. Wenden Sie sich an einen Administrator.',
  'This link does not allow that.': 'Dieser Link erlaubt das nicht.',
  'There is nothing at this address.': 'Unter dieser Adresse gibt es nichts.',
  'There is no such company.': 'Dieses Unternehmen gibt es nicht.',
  'There is no such session.': 'Diese Sitzung gibt es nicht.',
  'There is no such directory.': 'Dieses Verzeichnis gibt es nicht.',
  'There is no such file.': 'Diese Datei gibt es nicht.',
  'There is no such link.': 'Diesen Link gibt es nicht.',
  'There is no such receipt.': 'Diesen Beleg gibt es nicht.',
  'There is no such upload, or it was given up.': 'Diesen Upload gibt es nicht, oder er wurde abgebrochen.',
  'There is no such mail.': 'Diese E-Mail gibt es nicht.',
  'This link was used already, is more than an hour old, or is incomplete. Ask for a new mail.':
    'Dieser Link wurde schon benutzt, ist älter als eine Stunde oder unvollständig. Fordern Sie eine neue E-Mail an.',
  'There is no such user.': 'Diesen Benutzer gibt es nicht.',
  'The request took too long to arrive. Send it again.': 'Die Anfrage kam nicht rechtzeitig an. Senden Sie sie erneut.',
  'There is a directory of this name already. Choose another one.':
    'Ein Verzeichnis mit diesem Namen gibt es schon. Wählen Sie einen anderen.',
  'There is a file of this name already. Choose another one.':
    'Eine Datei mit diesem Namen gibt es schon. Wählen Sie einen anderen.',
  'The upload has got further, or less far, than that. Ask where it stands.':
    'Der Upload steht an einer anderen Stelle. Fragen Sie seinen Stand ab.',
  'There is a company of this name already. Choose another one.':
    'Ein Unternehmen mit diesem Namen gibt es schon. Wählen Sie einen anderen.',
  'This link is closed: it has expired, or its owner may no longer share it.':
    'Dieser Link ist geschlossen: Er ist abgelaufen, oder wem er gehört, darf ihn nicht mehr teilen.',
  'This link has more than 90 days left. Give it more time once it has fewer.':
    'Dieser Link läuft noch mehr als 90 Tage. Verlängern Sie ihn, sobald es weniger sind.',
  'This key and code were not reserved for it, or more than an hour ago. Begin again.':
    'Schlüssel und Code wurden nicht dafür reserviert, oder vor mehr als einer Stunde. Beginnen Sie erneut.',
  'This link has already been created. You’ll find it on the Links page.':
    'Dieser Link wurde bereits erstellt. Sie finden ihn auf der Seite „Links“.',
  'This mail was sent, or is about to be. There is nothing to send again.':
    'Diese E-Mail wurde gesendet oder wird es gerade. Es gibt nichts erneut zu senden.',
  'Somebody has this e-mail address already.': 'Diese E-Mail-Adresse ist schon vergeben.',
  'You cannot do this to yourself. Ask another administrator.':
    'Das können Sie nicht für sich selbst tun. Wenden Sie sich an einen anderen Administrator.',
  'Change your own name and e-mail address under Account: it asks for your password.':
    'Ihren eigenen Namen und Ihre E-Mail-Adresse ändern Sie unter „Konto“: Dort wird nach Ihrem Passwort gefragt.',
  'This is the last administrator. Make somebody else one first.':
    'Das ist der letzte Administrator. Machen Sie zuerst jemand anderen dazu.',
  'Send Tus-Resumable: 1.0.0.': 'Senden Sie Tus-Resumable: 1.0.0.',
  'The file is larger than this server accepts.': 'Die Datei ist größer, als dieser Server annimmt.',
  'The request is larger than this server accepts.': 'Die Anfrage ist größer, als dieser Server annimmt.',
  'The file does not have the bytes asked for.': 'Die Datei enthält den angefragten Abschnitt nicht.',
  'This call does not take a body of this type.': 'Dieser Aufruf nimmt keinen Inhalt dieser Art an.',
  'This upload is being written to already. Try again in a moment.':
    'An diesem Upload wird schon geschrieben. Versuchen Sie es gleich erneut.',
  'The headers of the request are larger than this server accepts.':
    'Die Header der Anfrage sind größer, als dieser Server annimmt.',
  'Too many attempts. Wait before you try again.': 'Zu viele Versuche. Warten Sie, bevor Sie es erneut versuchen.',
  'Too many ZIP downloads are running. Wait for one of them to finish, then try again.':
    'Es laufen zu viele ZIP-Downloads. Warten Sie, bis einer davon fertig ist, und versuchen Sie es dann erneut.',
  'Too many uploads at once. Finish or cancel some of them first.':
    'Zu viele Uploads auf einmal. Beenden Sie zuerst einige oder brechen Sie sie ab.',
  'Too many mails. Wait before you send another one.': 'Zu viele E-Mails. Warten Sie, bevor Sie eine weitere senden.',
  'This token does not open this call. Use one of a wider scope, or sign in.':
    'Dieses Token öffnet diesen Aufruf nicht. Nehmen Sie eines mit mehr Rechten oder melden Sie sich an.',
  'There is no such token.': 'Dieses Token gibt es nicht.',
  'There is no such webhook.': 'Diesen Webhook gibt es nicht.',
  'You have 50 tokens. Revoke one that nobody uses before you make another.':
    'Sie haben 50 Tokens. Widerrufen Sie eines, das niemand benutzt, bevor Sie ein weiteres erstellen.',
  'This company has 20 webhooks. Delete one before you make another.':
    'Dieses Unternehmen hat 20 Webhooks. Löschen Sie einen, bevor Sie einen weiteren anlegen.',
  'This webhook is paused. Let it go on first.': 'Dieser Webhook ist pausiert. Lassen Sie ihn zuerst weiterlaufen.',
  'Too many tests. Wait before you send another one.': 'Zu viele Tests. Warten Sie, bevor Sie einen weiteren senden.',
  'The server is busy. Try again in a moment.': 'Der Server ist ausgelastet. Versuchen Sie es gleich erneut.',
  'Something went wrong on our side. Try again; if it happens again, report the request id.':
    'Bei uns ist etwas schiefgegangen. Versuchen Sie es erneut; wenn es wieder geschieht, melden Sie die Nummer der Anfrage.',
  'This file is damaged on the server. Tell an administrator.':
    'Diese Datei ist auf dem Server beschädigt. Informieren Sie einen Administrator.',
  'A file in here is damaged on the server, so there is no ZIP of all. Download the others one by one, and tell an administrator.':
    'Eine Datei hier ist auf dem Server beschädigt, deshalb gibt es kein ZIP von allen. Laden Sie die anderen einzeln herunter und informieren Sie einen Administrator.',
  'The server is restarting. Try again in a moment.': 'Der Server startet gerade neu. Versuchen Sie es gleich erneut.',
  'The server cannot reach its database. Try again in a moment.':
    'Der Server erreicht seine Datenbank nicht. Versuchen Sie es gleich erneut.',
  'The server cannot reach its file storage. Try again in a moment.':
    'Der Server erreicht seinen Dateispeicher nicht. Versuchen Sie es gleich erneut.',
  'The bytes arrived changed. They were thrown away; send them again.':
    'Die Daten kamen verändert an und wurden verworfen. Senden Sie sie erneut.',
  'This link takes no more files. Tell whoever sent it to you.':
    'Dieser Link nimmt keine Dateien mehr an. Informieren Sie den Absender.',
  'This company has used up its space. What is in the trash counts until it is gone. Tell an administrator.':
    'Der Speicherplatz dieses Unternehmens ist aufgebraucht. Der Papierkorb zählt mit, bis er geleert ist. Informieren Sie einen Administrator.',
  'There is no room left on this server. Tell an administrator.':
    'Auf diesem Server ist kein Platz mehr. Informieren Sie einen Administrator.',
} as const satisfies Record<Exclude<Message, keyof typeof entry>, string>
