/** The entries of the usual lists of most used passwords that are long enough to pass the length rule; lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `0123456789 0987654321 1111111111 0000000000 1234512345 123456789a 123456789q 1234567890 12345678910 1234567891
  123123123123 1212121212 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc qazwsxedcrfv qwertyuiop qwertyuiop123 qwerty12345
  qwerty123456 q1w2e3r4t5 q1w2e3r4t5y6 asdfghjkl1 asdfghjkl123 zxcvbnm123 zaq12wsxcde3 abcdefghij abcd123456
  abc123456789 a123456789 aa123456789 password12 password123 password1234 passw0rd123 administrator welcome123
  iloveyou12 iloveyou123 iloveyou1234 letmein123 football123 basketball baseball123 superman123 princess123
  sunshine123 chocolate1 liverpool1 manchester alexander1 christopher jacqueline charlotte1 elizabeth1 metallica1
  startrek123 starwars123 spiderman1 pokemon1234 minecraft1 computer123 internet123 samsung123 mustang123 qwe123qwe123
  9876543210 1029384756 7777777777 9999999999 5555555555 3333333333`.split(/\s+/),
)
