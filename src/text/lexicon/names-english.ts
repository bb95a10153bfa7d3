/** English words that tell what kind of thing a capitalised name is, and brands whose products people talk about. */
export const ORGANISATION_WORDS: ReadonlySet<string> =
  words(`university college school institute academy company inc ltd
  corp corporation llc foundation association society club team union bank hospital church agency department ministry
  committee council commission party group studio studios records press news times post airlines motors technologies
  systems labs laboratory league federation orchestra band army navy police court`);

export const EVENT_WORDS: ReadonlySet<string> =
  words(`festival fest conference marathon olympics championship championships cup tournament parade
  summit expo convention symposium gala biennale carnival rally war revolution awards bowl prix derby fair hackathon
  workshop pride`);

export const PLACE_WORDS: ReadonlySet<string> =
  words(`street avenue road boulevard lane park square bridge river lake
  mountain mountains mount island islands beach bay coast valley canyon desert forest city county state province district
  town village airport station museum gallery castle palace temple cathedral theatre theater stadium garden gardens hotel
  cafe restaurant mall market library zoo falls ocean sea peninsula cape harbor harbour hill hills trail`);

/** Places that the tagger tends to miss or to take for persons. */
export const KNOWN_PLACES: ReadonlySet<string> =
  words(`alabama alaska arizona arkansas california colorado connecticut
  delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts
  michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah
  vermont virginia washington wisconsin wyoming china japan india france germany italy spain portugal england scotland
  ireland wales canada mexico brazil argentina australia russia korea vietnam thailand singapore indonesia egypt kenya
  nigeria israel turkey greece norway sweden denmark finland iceland poland ukraine austria switzerland netherlands
  belgium europe asia africa america beijing shanghai tokyo paris london berlin rome madrid chicago boston seattle
  vancouver toronto sydney dubai`);

export const BRANDS: ReadonlySet<string> =
  words(`iphone ipad ipod macbook imac airpods android windows linux ubuntu xbox
  playstation nintendo switch kindle galaxy pixel thinkpad surface alexa siri echo chromebook gopro fitbit roomba tesla
  prius civic corolla mustang photoshop excel word powerpoint outlook gmail chrome firefox safari whatsapp instagram
  facebook twitter tiktok youtube netflix spotify snapchat telegram slack zoom discord reddit linkedin uber airbnb amazon
  ebay paypal chatgpt gpt claude gemini copilot minecraft fortnite valorant pokemon lego barbie coke pepsi nutella`);

/** Words written with a capital that name nobody: starts of sentences, titles of address, languages' small change. */
export const NOT_NAMES: ReadonlySet<string> =
  words(`i i'm i've i'll i'd the a an this that these those it he she we they you
  my your his her our their its and or but so if when while because although then there here what who where why how which
  yes no not ok okay hey hi hello thanks thank wow oh ah well please sorry sure yeah yep nope congrats congratulations
  happy merry good great nice awesome cool let let's can could will would should may might must do does did is are was
  were have has had be been just also maybe perhaps today tomorrow yesterday tonight now later soon always never every
  some any all many much more most one two three first last next new old in on at by for from to with of about after
  before since until during god lol omg btw mom dad mum`);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ""));
}
