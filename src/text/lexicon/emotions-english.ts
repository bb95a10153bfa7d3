/** English words of the eight emotions (Plutchik's wheel), matched by their stems. */
import type { Emotion } from "../emotion.ts";

export const ENGLISH_EMOTIONS: Readonly<Record<Emotion, string>> = {
  joy: `happy happiness glad joy joyful delighted thrilled ecstatic overjoyed excited love loved adore enjoy enjoyed fun
    amazing awesome wonderful fantastic great laugh laughed smile smiling celebrate celebrated proud cheerful pleased
    blessed yay blast delicious beautiful lovely stoked elated content win won success sweet hilarious rewarding`,
  acceptance: `trust trusted accept accepted acceptance agree agreed welcome welcomed thank thanks thankful grateful
    appreciate appreciated support supported supportive friend friendship family belong together understand understood
    respect admire kind caring care loyal honest safe comfortable calm peaceful forgive forgave believe faith reliable
    helpful help helped hug congratulations congrats`,
  fear: `afraid fear scared scary frightened terrified terrifying worried worry anxious anxiety nervous panic panicked dread
    danger dangerous threat threatened horror horrified phobia alarmed uneasy timid nightmare stressed stress unsafe
    insecure tense doubt risky`,
  surprise: `surprise surprised surprising wow amazed astonished shocked shocking unexpected unexpectedly suddenly sudden
    unbelievable incredible stunned startled speechless whoa omg gosh strange weird coincidence miracle wonder curious
    bizarre blown`,
  sadness: `sad sadness unhappy cry cried crying tears depressed depressing depression lonely alone miss missed loss lost
    lose grief grieving mourn heartbroken disappointed disappointing disappointment hopeless miserable sorry regret hurt
    gloomy homesick funeral died death passed devastated upset down tragic unfortunately setback failed failure`,
  disgust: `disgust disgusted disgusting gross nasty awful horrible terrible vile repulsive sick yuck ew dirty filthy rotten
    stink smelly ugly hate hated despise loathe detest dislike cringe creepy toxic offensive shame ashamed revolting`,
  anger: `angry anger mad furious rage annoyed annoying irritated irritating frustrated frustrating outraged outrageous
    resent hate hated argue argued argument fight fought yell yelled shout shouted blame blamed unfair rude insult
    insulted betrayed betrayal jealous hostile revenge bully bullied stupid damn complain`,
  anticipation: `hope hoping hopeful expect expected expecting wait waiting plan planning planned soon tomorrow upcoming
    future eager ready prepare preparing forward goal dream wish intend intending curious interested excited looking next
    anticipate schedule scheduled aim determined`,
};
