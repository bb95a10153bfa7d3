/** English words that please or displease, by strength. Listed as people say them; matched by their stems. */
export const ENGLISH_SENTIMENT: Readonly<Record<"3" | "2" | "1" | "-1" | "-2" | "-3", string>> = {
  "3": `love adore amazing awesome fantastic wonderful excellent brilliant perfect thrilled ecstatic delighted overjoyed
    incredible superb magnificent outstanding marvelous gorgeous blessed fabulous phenomenal spectacular stunning
    unforgettable best stoked triumph masterpiece heavenly breathtaking elated`,
  "2": `happy glad great beautiful enjoy enjoyed fun excited exciting proud grateful thankful celebrate celebrated success
    successful win won winner victory sweet kind lovely delicious inspiring inspired inspiration rewarding joy joyful
    cheerful charming impressive favorite favourite healthy hilarious hug laugh laughed laughing smile paradise passionate
    peaceful pleased pleasure promoted romantic satisfied talented treasure wow yay congratulations congrats cherish
    admire blast cozy generous gift graduated engaged married friend friendly heartwarming hopeful refreshing stunned
    uplifting wholesome rejoice praise praised recover recovered freedom achievement accomplish accomplished`,
  "1": `good nice well better like liked fine okay ok cool interesting interested useful helpful help helped support
    supported safe calm relaxed relaxing relax comfortable comfy easy smooth ready welcome thanks thank cute fresh clean
    bright warm lucky luck improve improved improvement agree hope hoping wish care caring confident creative curious
    eager fair free gain gentle growth honest learn positive polite popular pretty productive progress promising reliable
    solid sunny tasty trust worth worthwhile yummy bonus benefit dream energetic enthusiastic gorgeous quality respect
    reward smart strong valuable wise sure`,
  "-1": `bad wrong sorry problem problems difficult hard tough boring bored tired busy slow late lost lose miss missed
    missing weird strange awkward confused confusing doubt unsure uncertain nervous worried worry stressful stress annoyed
    annoying issue issues mistake complain complained cold noisy dirty expensive cheap cancel cancelled delay delayed
    dull fail forget forgot complicated concern concerned unfair unlucky waste wasted weak stuck trouble sick poor cough
    ache sore messy mess risky risk skip skeptical uncomfortable disagree argue argued argument refuse refused broke broken
    hungry rain interrupted struggle struggling setback tricky lonely alone unfortunately`,
  "-2": `sad unhappy angry upset hurt pain painful afraid scared fear anxious anxiety depressed depressing cry cried crying
    disappointed disappointing disappointment frustrated frustrating failed failure hate hated awful nasty ugly rude mean
    mad guilty ashamed shame embarrassed jealous regret reject rejected ignored insult insulted injured injury ill illness
    crash crashed accident attack attacked blame bully bullied cruel danger dangerous disgusting disgusted dread exhausted
    exhausting gloomy grief grieving heartbroken helpless homesick hopeless hostile lie lied loss panic quit robbed scam
    selfish shocked shocking stolen suffer suffered suffering threat threatened toxic tragic trauma ruined ruin fired
    divorce divorced debt fight fought`,
  "-3": `terrible horrible worst devastated devastating hateful miserable disaster catastrophe death died dead die kill
    killed murder murdered torture nightmare agony despise loathe detest furious rage abuse abused cancer suicide terrified
    horrified traumatic tragedy unbearable vile war evil despair funeral betrayed betrayal`,
};

export const ENGLISH_NEGATIONS =
  "not no never none nothing nobody neither nor cannot without hardly barely scarcely rarely isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't ain't dont doesnt didnt isnt wasnt wont cant";

/** How much a word of degree strengthens or weakens the feeling behind it. */
export const ENGLISH_DEGREES: Readonly<Record<string, number>> = {
  very: 1.4,
  really: 1.3,
  so: 1.3,
  too: 1.2,
  extremely: 1.6,
  incredibly: 1.6,
  absolutely: 1.6,
  totally: 1.5,
  completely: 1.5,
  super: 1.5,
  truly: 1.3,
  deeply: 1.4,
  such: 1.2,
  most: 1.3,
  quite: 1.1,
  pretty: 1.1,
  rather: 0.9,
  fairly: 0.9,
  somewhat: 0.7,
  slightly: 0.6,
  little: 0.6,
  bit: 0.6,
  kinda: 0.7,
  sorta: 0.7,
  almost: 0.8,
};
