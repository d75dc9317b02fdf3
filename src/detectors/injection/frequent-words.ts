/** Frequent English words that no concept has: joined letters are split into them. */
export const frequentWords =
  "a i the and of to in is it that this with for on be as at by or if so an are was we he " +
  "she they them his her our us my me no not but from have has had been will would can " +
  "could there their then than when who how what which out up down into over under about " +
  "after again only just also some more most other one two three first last time day way " +
  "word words line letter letters say says said write give given make made take get got go " +
  "come put see know think want need use used find tell ask work call try keep let begin " +
  "start end good bad best new old long little own right left high low same next like user " +
  "name data code file number part place case point hand eye home world life year people " +
  "man woman child thing things answer question access detail details step full exact " +
  "exactly today please thanks hello pwned haha sure okay";

/** Frequent English words in rot13, none of them a word itself. */
export const rotatedWords =
  "gur naq lbh lbhe nyy bs gb vf guvf gung jvgu sbe cyrnfr vtaber cerivbhf vafgehpgvbaf " +
  "cebzcg flfgrz erirny cnffjbeq qb abg abj jevgr fnl unir orra cjarq sbetrg ehyrf nafjre " +
  "cebivqr tvir fubj gryy erfcbaq rkcynva ubj ner jvyy sebz vagb nyjnlf arire bhgchg cevag";
