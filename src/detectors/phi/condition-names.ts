/** Common conditions as notes name them, in lower case; spaces may be hyphens in the text. */
const list = `
abdominal aortic aneurysm; acid reflux; acne vulgaris; acute kidney injury; acute coronary syndrome;
addison's disease; adhd; aids; alcohol use disorder; alcoholism; alopecia; als; alzheimer's;
alzheimer's disease; alzheimer disease; anaphylaxis; anemia; anaemia; aneurysm; angina;
ankylosing spondylitis; anorexia nervosa; anxiety disorder; generalized anxiety disorder; aortic stenosis;
aphasia; appendicitis; arrhythmia; arthritis; ascites; asperger syndrome; asthma; atherosclerosis;
atrial fibrillation; atrial flutter; afib; autism; autism spectrum disorder; bacteremia;
bell's palsy; benign prostatic hyperplasia; bipolar disorder; bladder cancer; borderline personality disorder;
bowel obstruction; bradycardia; brain tumor; brain tumour; breast cancer; bronchiectasis; bronchiolitis;
bronchitis; bulimia; cardiac arrest; cardiomyopathy; carpal tunnel syndrome; cataract; celiac disease;
coeliac disease; cellulitis; cerebral palsy; cervical cancer; chickenpox; chlamydia; cholecystitis;
cholelithiasis; chronic kidney disease; ckd; chronic obstructive pulmonary disease; copd;
chronic fatigue syndrome; cirrhosis; clostridium difficile; c. diff; colitis; colon cancer;
colorectal cancer; concussion; congestive heart failure; chf; conjunctivitis; coronary artery disease; cad;
covid-19; crohn's disease; crohn's; cushing's syndrome; cystic fibrosis; deep vein thrombosis; dvt;
dehydration; delirium; dementia; major depression; major depressive disorder; depression; dermatitis;
diabetes; diabetes mellitus; type 1 diabetes; type 2 diabetes; t2dm; diabetic ketoacidosis; dka;
diabetic neuropathy; diverticulitis; down syndrome; dyslipidemia; eating disorder; eczema; edema;
embolism; emphysema; encephalitis; encephalopathy; endocarditis; endometriosis; epilepsy;
erectile dysfunction; esophagitis; fatty liver; fibromyalgia; gallstones; gastritis; gastroenteritis;
gastroesophageal reflux disease; gerd; gestational diabetes; glaucoma; glioblastoma; gonorrhea; gout;
graves' disease; guillain-barré syndrome; hashimoto's thyroiditis; heart attack; heart failure; heart murmur;
hemophilia; hemorrhoids; hepatitis; hepatitis a; hepatitis b; hepatitis c; hepatocellular carcinoma;
herniated disc; herpes; herpes zoster; hiv; hiv positive; hodgkin lymphoma; hodgkin's lymphoma;
human immunodeficiency virus; huntington's disease; hydrocephalus; hypercholesterolemia; hyperglycemia;
hyperkalemia; hyperlipidemia; hypertension; htn; hyperthyroidism; hypoglycemia; hypokalemia; hyponatremia;
hypotension; hypothyroidism; ibs; infertility; inflammatory bowel disease; influenza; insomnia;
interstitial lung disease; irritable bowel syndrome; ischemic stroke; kidney failure; kidney stones;
leukemia; leukaemia; liver cancer; liver failure; lung cancer; lupus; lyme disease; lymphoma;
macular degeneration; malaria; mastitis; measles; melanoma; meningitis; migraine; migraines; miscarriage;
mononucleosis; multiple myeloma; multiple sclerosis; muscular dystrophy; myasthenia gravis;
myocardial infarction; nstemi; stemi; narcolepsy; nephrolithiasis; neuropathy; non-hodgkin lymphoma;
obesity; obsessive compulsive disorder; ocd; opioid use disorder; osteoarthritis; osteomyelitis;
osteopenia; osteoporosis; otitis media; ovarian cancer; pancreatic cancer; pancreatitis; panic disorder;
parkinson's disease; parkinson's; pelvic inflammatory disease; peptic ulcer; pericarditis;
peripheral artery disease; peripheral neuropathy; peritonitis; pleural effusion; pneumonia; pneumothorax;
polycystic ovary syndrome; pcos; polycythemia; postpartum depression; post-traumatic stress disorder; ptsd;
prediabetes; preeclampsia; prostate cancer; psoriasis; psoriatic arthritis; psychosis; pulmonary embolism;
pulmonary fibrosis; pulmonary hypertension; pyelonephritis; renal failure; end-stage renal disease; esrd;
restless legs syndrome; rhabdomyolysis; rheumatoid arthritis; rosacea; sarcoidosis; scabies; schizophrenia;
schizoaffective disorder; sciatica; scleroderma; scoliosis; seizure disorder; sepsis; septic shock; shingles;
sickle cell disease; sinusitis; sjögren's syndrome; skin cancer; sleep apnea; obstructive sleep apnea;
spinal stenosis; stroke; substance use disorder; syncope; syphilis; systemic lupus erythematosus; tachycardia;
testicular cancer; thrombocytopenia; thyroid cancer; tinnitus; tonsillitis; tourette syndrome;
transient ischemic attack; traumatic brain injury; tuberculosis; ulcerative colitis;
upper respiratory infection; urinary tract infection; uti; uterine fibroids; uveitis; varicella;
venous thromboembolism; vertigo; vitiligo; whooping cough`;

/** The same in German, French, Spanish, Portuguese, Italian and Dutch, if the name differs. */
const abroad = `
asma; asma bronchiale; asthme; bluthochdruck; borstkanker; brustkrebs; cancer du sein; cancer du poumon;
cancer de la prostate; carcinoma mammario; chronische nierenerkrankung; cirrhose; cáncer de mama;
cáncer de pulmón; darmkrebs; demencia; demenz; depresión; depressione; depressionen; diabete;
diabete di tipo 2; diabetes mellitus tipo 2; diabetes mellitus typ 1; diabetes mellitus typ 2; diabetes tipo 1;
diabetes tipo 2; diabetes typ 2; diabète; diabète de type 1; diabète de type 2; enfermedad renal crónica;
epilepsia; epilepsie; fibrilación auricular; fibrillation auriculaire; fibrillazione atriale; hartfalen;
herzinfarkt; herzinsuffizienz; hipertensión; hipertensión arterial; hipertensão; hoge bloeddruk;
hypertension artérielle; hypertonie; infarctus du myocarde; infarto de miocardio; infarto miocardico;
insuffisance cardiaque; insuffisance rénale; insuficiencia cardíaca; insuficiencia renal;
insuficiência cardíaca; insufficienza cardiaca; insufficienza renale; ipertensione; ipertensione arteriosa;
khk; leucemia; leukämie; leucémie; longkanker; lungenentzündung; lungenkrebs; multiple sklerose; neumonía;
niereninsuffizienz; polmonite; prostatakrebs; rheuma; schlaganfall; schizophrenie; sclérose en plaques;
tuberkulose; vorhofflimmern`;

function namesIn(text: string): readonly string[] {
  return text
    .trim()
    .split(/;\s*/)
    .map((name) => name.replaceAll(/\s+/g, " "));
}

export const conditionNames: readonly string[] = [...namesIn(list), ...namesIn(abroad)];
